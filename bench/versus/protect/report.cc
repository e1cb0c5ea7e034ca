#include "bench/versus/protect/report.h"

#include <fmt/format.h>

#include <iterator>

#include "bench/versus/protect/parts.h"
#include "bench/versus/topk/machine.h"
#include "rankveil/base/format.h"
#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil::versus {
namespace {

template <typename... Arguments>
void add(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
}

bool is_within(double value, double edge, bool at_least) {
  return at_least ? value >= edge : value <= edge;
}

std::string verdict_of(const Results& results, double value, const std::optional<Goal>& goal) {
  return results.judged ? verdict_text(judge(value, goal)) : "-";
}

std::string goal_text(const std::optional<Goal>& goal, const std::string& unit) {
  if (!goal) return "-";
  std::string text = fmt::format("{}{:g}{}", goal->at_least ? "at least " : "", goal->limit, unit);
  return goal->aim == 0 ? text : text + fmt::format(" (aim {:g}{})", goal->aim, unit);
}

std::string seconds_text(double seconds) { return time_text(seconds * 1e6); }

void add_setting(const Results& results, std::string& text) {
  add(text, "# Protecting, and serving what was protected\n\n");
  add(text, "- Machine: {}; {}\n", cpu_text(), system_text());
  add(text, "- Built with {}; {}\n", compiler_text(), date_text());
  add(text, "- Version: rankveil {} ({})\n", RANKVEIL_VERSION,
      isa_name(kernels::kernel_in_use().isa));
  add(text, "- Command: `{}`\n", results.command);
  add(text, "- Data: up to 20 attributes of 2 to 15 values, Zipf(0.8), seed {}; {} threads\n",
      results.seed, results.threads);
  for (const std::string& skipped : results.skipped) add(text, "- Skipped: {}\n", skipped);
  if (!results.judged) text += "- Small tables: nothing is judged\n";
}

void add_timing(const Results& results, const Timing& one, std::string& text) {
  add(text, "| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", one.name, one.table,
      grouped(one.rows), seconds_text(one.median), seconds_text(one.least),
      seconds_text(one.one_thread), goal_text(one.goal, " s"),
      verdict_of(results, one.median, one.goal), one.facts);
}

void add_figure(const Results& results, const Figure& one, std::string& text) {
  std::string value =
      one.value < 10 || one.unit == "%" ? fmt::format("{:.2f}", one.value) : count_text(one.value);
  add(text, "| {} | {}{} | {} | {} | {} |\n", one.name, value, one.unit,
      goal_text(one.goal, one.unit), verdict_of(results, one.value, one.goal), one.facts);
}

template <typename Item, typename AddRow>
void add_rows(const std::vector<Item>& items, std::string_view part, const char* header,
              std::string& text, AddRow add_row) {
  bool is_first = true;
  for (const Item& one : items) {
    if (one.part != part) continue;
    if (is_first) text += header;
    is_first = false;
    add_row(one);
  }
}

void add_part(const Results& results, const Part& part, std::string& text) {
  std::string rows;
  add_rows(results.timings, part.name,
           "\n| case | table | rows | median | least | one thread | within | verdict | |\n"
           "|---|---|---|---|---|---|---|---|---|\n",
           rows, [&](const Timing& one) { add_timing(results, one, rows); });
  add_rows(results.figures, part.name, "\n| | | asked for | verdict | |\n|---|---|---|---|---|\n",
           rows, [&](const Figure& one) { add_figure(results, one, rows); });
  if (!rows.empty()) add(text, "\n## {}: {}\n{}", part.name, part.title, rows);
}

void add_serving(const Results& results, std::string& text) {
  if (results.served.empty()) return;
  text +=
      "\n## serving: top-100 queries, one thread, in turns\n\n"
      "| table | index | what it serves | median | least | times unprotected | within | verdict | "
      "size |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  for (const Served& one : results.served) {
    add(text, "| {} | {} | {} | {} | {} | {:.2f}x | {} | {} | {} |\n", one.table, one.scheme,
        one.kind, time_text(one.median_us), time_text(one.min_us), one.ratio,
        goal_text(one.goal, "x"), verdict_of(results, one.ratio, one.goal),
        format_bytes(one.bytes));
  }
}

void set_goal(Json& entry, double value, const std::optional<Goal>& goal) {
  if (!goal) return;
  entry.set("limit", goal->limit);
  if (goal->aim != 0) entry.set("aim", goal->aim);
  entry.set("met", judge(value, goal) != Verdict::Missed);
}

Json entry_of(const Timing& one) {
  Json entry;
  entry.set("part", one.part).set("case", one.name).set("table", one.table);
  entry.set("rows", one.rows).set("rounds", one.rounds);
  entry.set("median", one.median).set("least", one.least).set("one_thread", one.one_thread);
  set_goal(entry, one.median, one.goal);
  return entry;
}

Json entry_of(const Figure& one) {
  Json entry;
  entry.set("part", one.part).set("figure", one.name);
  entry.set("value", one.value).set("unit", one.unit);
  set_goal(entry, one.value, one.goal);
  return entry;
}

Json entry_of(const Served& one) {
  Json entry;
  entry.set("table", one.table).set("index", one.scheme).set("serves", one.kind);
  entry.set("median_us", one.median_us).set("least_us", one.min_us).set("ratio", one.ratio);
  entry.set("bytes", one.bytes);
  set_goal(entry, one.ratio, one.goal);
  return entry;
}

template <typename Item>
Json list_of(const std::vector<Item>& items) {
  Json::Array list;
  for (const Item& item : items) list.push_back(entry_of(item));
  return list;
}

}  // namespace

Verdict judge(double value, const std::optional<Goal>& goal) {
  if (!goal) return Verdict::None;
  if (!is_within(value, goal->limit, goal->at_least)) return Verdict::Missed;
  bool has_aim = goal->aim != 0;
  return has_aim && is_within(value, goal->aim, goal->at_least) ? Verdict::AimMet : Verdict::Met;
}

std::string verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::Missed:
      return "**missed**";
    case Verdict::Met:
      return "met";
    case Verdict::AimMet:
      return "met, aim too";
    default:
      return "-";
  }
}

std::string to_markdown(const Results& results) {
  std::string text;
  add_setting(results, text);
  for (const Part& part : all_parts()) add_part(results, part, text);
  add_serving(results, text);
  return text;
}

Json to_json(const Results& results) {
  Json made;
  made.set("timings", list_of(results.timings));
  made.set("figures", list_of(results.figures));
  made.set("serving", list_of(results.served));
  return made;
}

}  // namespace rankveil::versus
