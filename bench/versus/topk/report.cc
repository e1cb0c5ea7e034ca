#include "bench/versus/topk/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "bench/versus/topk/cases.h"
#include "bench/versus/topk/machine.h"

namespace rankveil::versus {
namespace {

const std::string ours = "rankveil";

const Measurement* find(const Report& report, std::uint32_t rows, const std::string& name,
                        bool is_reference) {
  for (const Measurement& one : report.measurements) {
    bool is_ours = one.contestant == ours && one.is_reference == is_reference;
    if (one.rows == rows && one.case_name == name && is_ours) return &one;
  }
  return nullptr;
}

// How many times longer than ours; 0 when we did not take part.
double ratio_to_ours(const Report& report, const Measurement& one) {
  const Measurement* own = find(report, one.rows, one.case_name, false);
  return own == nullptr ? 0 : one.median_us / own->median_us;
}

std::string ratio_text(double ratio) {
  if (ratio == 0) return "-";
  return ratio < 10 ? fmt::format("{:.2f}x", ratio) : count_text(ratio) + "x";
}

std::string rate_text(double per_second) {
  return per_second < 10 ? fmt::format("{:.2f}", per_second) : count_text(per_second);
}

template <typename... Arguments>
void add(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
}

void add_setting(const Report& report, std::string& text) {
  add(text, "# Top-{} against other systems\n\n", top_k);
  add(text, "- Machine: {}; {}\n", cpu_text(), system_text());
  add(text, "- Built with {}; {}\n", compiler_text(), date_text());
  add(text, "- Command: `{}`\n", report.command);
  add(text, "- Data: 20 attributes, domains of 2 to 15 values, Zipf(0.8), seed {}; {} rounds\n",
      report.seed, report.rounds);
  add(text, "- Versions: {}\n", fmt::join(report.versions, "; "));
  for (const std::string& skipped : report.skipped) add(text, "- Skipped: {}\n", skipped);
}

void add_row(const Report& report, const Measurement& one, std::string& text) {
  std::string name = one.is_reference ? "rankveil, one unprotected query" : one.contestant;
  add(text, "| {} | {} | {} | {} | {} | {} | {}{} |\n", name, time_text(one.median_us),
      time_text(one.min_us), ratio_text(ratio_to_ours(report, one)), rate_text(1e6 / one.median_us),
      one.timings, one.answers_checked, one.compares_rows ? "" : " (scores)");
}

void add_case(const Report& report, std::uint32_t rows, const Case& what, std::string& text) {
  bool is_first = true;
  for (const Measurement& one : report.measurements) {
    if (one.rows != rows || one.case_name != what.name) continue;
    if (is_first) {
      add(text, "\n### {} rows: {}\n\n", count_text(rows), what.title);
      text +=
          "| contestant | median | least | times ours | queries/s | timings | answers checked |\n"
          "|---|---|---|---|---|---|---|\n";
    }
    is_first = false;
    add_row(report, one, text);
  }
}

// Our own cases against the plain query that ran in the same rounds.
void add_own_ratios(const Report& report, std::string& text) {
  bool has_any = std::any_of(report.measurements.begin(), report.measurements.end(),
                             [](const Measurement& one) { return one.is_reference; });
  if (!has_any) return;
  text += "\n## Ours against our unprotected, unweighted query of the same rounds\n\n";
  text += "| rows | case | median | times the plain query |\n|---|---|---|---|\n";
  for (std::uint32_t rows : report.sizes) {
    for (const Case& what : all_cases()) {
      const Measurement* own = find(report, rows, what.name, false);
      const Measurement* plain = find(report, rows, what.name, true);
      if (own == nullptr || plain == nullptr) continue;
      add(text, "| {} | {} | {} | {:.2f}x |\n", count_text(rows), what.title,
          time_text(own->median_us), own->median_us / plain->median_us);
    }
  }
}

void add_ranks(const Report& report, std::string& text) {
  bool is_first = true;
  for (const Measurement& one : report.measurements) {
    if (!one.case_name.starts_with("ranks-")) continue;
    if (is_first) {
      text += "\n## Ranks of all rows, 20 queries before and after protection (40 rankings)\n\n";
      text += "| rows | kind | median | least |\n|---|---|---|---|\n";
    }
    is_first = false;
    add(text, "| {} | {} | {} | {} |\n", count_text(one.rows), one.case_name.substr(6),
        time_text(one.median_us), time_text(one.min_us));
  }
}

void add_bandwidth(const Report& report, std::string& text) {
  if (report.bandwidth.one_stream == 0) return;
  constexpr double bytes_per_row = 20.0 / 8;
  text += "\n## Memory bandwidth, one thread\n\n";
  add(text, "Reading 1 GiB: {:.1f} GB/s in one stream, {:.1f} GB/s in 20 streams side by side.\n\n",
      report.bandwidth.one_stream, report.bandwidth.twenty_streams);
  text +=
      "| rows | index | bytes a row touched by a query | GB/s | of one stream | |\n"
      "|---|---|---|---|---|---|\n";
  for (std::uint32_t rows : report.sizes) {
    const Measurement* single = find(report, rows, "single", false);
    auto bytes = report.index_bytes.find(rows);
    if (single == nullptr || bytes == report.index_bytes.end()) continue;
    double rate = rows * bytes_per_row / single->median_us / 1e3;
    bool is_cached =
        static_cast<double>(bytes->second) < 4.0 * static_cast<double>(largest_cache());
    add(text, "| {} | {:.1f} MB | {} | {:.1f} | {:.0f}% | {} |\n", count_text(rows),
        static_cast<double>(bytes->second) / 1e6, bytes_per_row, rate,
        100 * rate / report.bandwidth.one_stream,
        is_cached ? "partly in cache: no share of memory bandwidth" : "");
  }
}

void add_isa(const Report& report, std::string& text) {
  if (report.isa.empty()) return;
  text += "\n## Our instruction sets, one query, each in a process of its own\n\n";
  text += "| rows | instruction set | median |\n|---|---|---|\n";
  for (const auto& [rows, results] : report.isa) {
    for (const auto& [isa, result] : results) {
      add(text, "| {} | {} | {} |\n", count_text(rows), isa, time_text(result.median_us));
    }
  }
}

Json entry(const Measurement& one, double ratio) {
  Json result;
  result.set("rows", one.rows);
  result.set("case", one.case_name);
  result.set("contestant", one.is_reference ? ours + ", one unprotected query" : one.contestant);
  result.set("threads", one.threads);
  result.set("median_us", one.median_us);
  result.set("ratio_to_ours", ratio == 0 ? Json() : Json(ratio));
  result.set("answers_checked", std::uint64_t{one.answers_checked});
  return result;
}

}  // namespace

std::string to_markdown(const Report& report) {
  std::string text;
  add_setting(report, text);
  for (std::uint32_t rows : report.sizes) {
    for (const Case& what : all_cases()) add_case(report, rows, what, text);
  }
  add_own_ratios(report, text);
  add_ranks(report, text);
  add_bandwidth(report, text);
  add_isa(report, text);
  if (!report.wrong.empty()) text += "\n## Wrong answers\n\n";
  for (const std::string& wrong : report.wrong) add(text, "- {}\n", wrong);
  return text;
}

Json to_json(const Report& report) {
  Json::Array list;
  for (const Measurement& one : report.measurements) {
    list.push_back(entry(one, ratio_to_ours(report, one)));
  }
  for (const auto& [rows, results] : report.isa) {
    for (const auto& [isa, result] : results) {
      Measurement one;
      one.rows = rows;
      one.case_name = "single";
      one.contestant = ours + " " + isa;
      one.median_us = result.median_us;
      one.answers_checked = static_cast<std::size_t>(result.answers_checked);
      list.push_back(entry(one, ratio_to_ours(report, one)));
    }
  }
  return list;
}

}  // namespace rankveil::versus
