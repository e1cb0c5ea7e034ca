#include "cli/protect_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/claim_lines.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "rankveil/base/format.h"
#include "rankveil/protect/not_sensitive.h"
#include "rankveil/protect/sensitive_sets.h"

namespace rankveil::cli {

namespace {

// ---- What was promised, in words ----

std::string promise_text(const api::ProtectResult& result) {
  std::string text = fmt::format("{}, l = {}: {}\n", result.scheme, result.l, result.summary);
  text += promise_lines("promises", result.promise);
  if (!result.not_sensitive.empty()) {
    text += fmt::format("  spared    {}\n", printable(to_text(result.not_sensitive)));
  }
  if (!result.sensitive_sets.empty()) {
    text += fmt::format("  sets      {}\n", printable(to_text(result.sensitive_sets)));
  }
  for (const api::KnownColumn& column : result.known) {
    text += fmt::format("  known     {}\n", printable(to_text(column)));
  }
  for (const api::ColumnsApart& columns : result.apart) {
    text += fmt::format("  apart     {}\n", printable(to_text(columns)));
  }
  text += against_text(result.promise, result.holds_against);
  if (result.broken_by) {
    text += fmt::format("  BROKEN BY {}, who {}\n", level_name(*result.broken_by),
                        level_meaning(*result.broken_by));
  }
  if (!result.caution.empty()) text += fmt::format("  but       {}\n", result.caution);
  return text + "  (docs/concepts explains promises and adversaries)\n";
}

// ---- What happened to the rows ----

class Lines {
 public:
  void add(std::uint64_t count, const std::string& what, bool always = false) {
    if (count == 0 && !always) return;
    text_ += fmt::format("  {:>12}  {}\n", grouped(count), what);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// What is said of all rows that show something, as of when each was released.
ProtectionReport report_so_far(const api::ProtectResult& result) {
  ReportSoFar sum = result.earlier.value_or(ReportSoFar{});
  sum.add(result.counts.released, result.report);
  return sum.report;
}

// How many rows the report so far speaks of that show nothing any more.
std::uint64_t rows_left_since(const api::ProtectResult& result) {
  if (!result.earlier) return 0;
  std::uint64_t shown = result.counts.kept + result.counts.released;
  std::uint64_t told = result.earlier->released + result.counts.released;
  return told > shown ? told - shown : 0;
}

// Rows for whom the promise ends before who knows the table by all public columns.
void add_small_groups(const api::ProtectResult& result, Lines& lines) {
  if (!result.leans_on_groups) return;
  if (result.coarser_rows) {
    lines.add(*result.coarser_rows,
              fmt::format("of them{} hide among rows alike in fewer columns (below): the promise "
                          "holds against anyone who knows the table by those columns, not by all "
                          "of them",
                          rows_left_since(result) > 0 ? ", at most," : ""));
    lines.add(std::min(*result.coarser_rows, result.report.unique_rows),
              "of these have public values that nobody shares");
    return;
  }
  lines.add(
      result.report.unique_rows,
      "have public values that nobody shares: no promise against anyone who knows the table by "
      "them");
}

std::string fallback_text(const std::string& fallback) {
  if (fallback == "suppress") return "these are suppressed, and match nothing";
  if (fallback == "whole-domain") return "there they match every value (--fallback whole-domain)";
  return "there they show shares of a larger group (--fallback shares)";
}

void add_short_sets(const api::ProtectResult& result, const ProtectionReport& report,
                    Lines& lines) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < std::min(report.short_sets.size(), result.attributes.size()); ++j) {
    if (report.short_sets[j] == 0) continue;
    names.push_back(fmt::format("{} {}", result.attributes[j], grouped(report.short_sets[j])));
  }
  std::string text = fmt::format("could not be given l values in {}: {}",
                                 counted(names.size(), "attribute"), listed(names, 4));
  if (!result.fallback.empty()) text += "; " + fallback_text(result.fallback);
  lines.add(report.rows_with_short_sets, text);
}

void add_shown(const api::ProtectResult& result, Lines& lines) {
  const ReleaseCounts& counts = result.counts;
  if (result.shows_nothing) {
    lines.add(counts.kept + counts.released, "show nothing private", true);
    return;
  }
  lines.add(counts.kept, "keep what they showed");
  lines.add(counts.released,
            result.continued ? "show something for the first time" : "show something",
            !result.continued);
}

std::string rows_text(const api::ProtectResult& result) {
  Lines lines;
  const ReleaseCounts& counts = result.counts;
  add_shown(result, lines);
  lines.add(counts.waiting - counts.not_established,
            "wait for enough rows to hide among; shares of their group until then");
  lines.add(counts.not_established,
            "are not established: they hide nobody, and show shares of their group");
  lines.add(result.open_rows,
            "show their own values, as their people chose; that they did is seen");
  lines.add(result.hidden_rows, "show shares of others alone, as their people chose; that is seen");
  lines.add(counts.changed, "of those that show something changed, and will be withdrawn");
  lines.add(counts.withdrawn, "are withdrawn, and show shares of their group");
  lines.add(counts.gone, "left since the last build");
  ProtectionReport report = report_so_far(result);
  add_short_sets(result, report, lines);
  lines.add(report.rows_with_obfuscation, "have a value that made room for another");
  add_small_groups(result, lines);
  return fmt::format("\n{}\n{}", counted(result.rows, "row"), lines.text());
}

// ---- What rows were given, those of earlier builds too ----

// Whether kept rows and new ones stand in the same table.
bool tells_of_kept(const api::ProtectResult& result) { return result.earlier.has_value(); }

std::string rung_name(const RungReport& rung) {
  return rung.columns.empty() ? "nothing: the whole table" : listed(rung.columns, 4);
}

std::uint64_t new_rows_on(const RungReport& rung, const ProtectionReport& now) {
  for (const RungReport& own : now.rungs) {
    if (own.columns == rung.columns) return own.rows;
  }
  return 0;
}

std::string rungs_text(const api::ProtectResult& result) {
  ProtectionReport report = report_so_far(result);
  if (report.rungs.empty()) return "";
  TextTable table;
  table.column("rows hide among rows alike in");
  table.column("groups", Align::Right);
  table.column("rows", Align::Right);
  if (tells_of_kept(result)) table.column("of them new", Align::Right);
  for (const RungReport& rung : report.rungs) {
    std::vector<std::string> cells = {rung_name(rung), grouped(rung.groups), grouped(rung.rows)};
    if (tells_of_kept(result)) cells.push_back(grouped(new_rows_on(rung, result.report)));
    table.row(std::move(cells));
  }
  return "\n" + table.render(out_terminal());
}

// Sets of some sizes, as one line of a table.
struct SizeClass {
  std::size_t first;
  std::size_t last;
  std::uint64_t count;
};

// Each size by itself while they are few. Else neighbours go together until they are a share of all
// that is worth a line.
std::vector<SizeClass> classes_of(const std::vector<std::uint64_t>& sizes) {
  constexpr std::size_t most_classes = 12;
  std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  auto zeros = std::count(sizes.begin(), sizes.end(), 0U);
  bool few = sizes.size() - static_cast<std::size_t>(zeros) <= most_classes;
  std::uint64_t enough = few ? 1 : total / most_classes + 1;
  std::vector<SizeClass> classes;
  bool open = false;
  for (std::size_t size = 0; size < sizes.size(); ++size) {
    if (sizes[size] == 0) continue;
    if (!open) classes.push_back({size, size, 0});
    classes.back().last = size;
    classes.back().count += sizes[size];
    open = classes.back().count < enough;
  }
  return classes;
}

std::uint64_t sets_between(const SizeClass& sizes, const std::vector<std::uint64_t>& counts) {
  std::uint64_t sum = 0;
  for (std::size_t i = sizes.first; i <= sizes.last && i < counts.size(); ++i) sum += counts[i];
  return sum;
}

// Sets that a fallback stands for have no size.
std::uint64_t sets_replaced(const api::ProtectResult& result, const ProtectionReport& report) {
  if (result.fallback.empty()) return 0;
  return std::accumulate(report.short_sets.begin(), report.short_sets.end(), std::uint64_t{0});
}

std::string sizes_text(const api::ProtectResult& result) {
  ProtectionReport report = report_so_far(result);
  std::uint64_t replaced = sets_replaced(result, report);
  std::uint64_t total = std::accumulate(report.set_sizes.begin(), report.set_sizes.end(), replaced);
  if (total == 0) return "";
  TextTable table;
  for (const char* head : {"size", "sets", "share"}) table.column(head, Align::Right);
  if (tells_of_kept(result)) table.column("of them new", Align::Right);
  auto add = [&](std::string name, std::uint64_t count, std::uint64_t fresh) {
    std::vector<std::string> cells = {std::move(name), grouped(count), percent(count, total)};
    if (tells_of_kept(result)) cells.push_back(grouped(fresh));
    table.row(std::move(cells));
  };
  for (const SizeClass& sizes : classes_of(report.set_sizes)) {
    std::string name = grouped(sizes.first);
    if (sizes.last > sizes.first) name += " to " + grouped(sizes.last);
    add(name, sizes.count, sets_between(sizes, result.report.set_sizes));
  }
  if (replaced > 0) add("too few", replaced, sets_replaced(result, result.report));
  return "\n" + table.render(out_terminal());
}

// Where the tables above do not speak of the rows that are there now.
std::string kept_text(const api::ProtectResult& result) {
  if (!result.continued || result.shows_nothing) return "";
  std::uint64_t left = rows_left_since(result);
  if (left == 0) return "";
  return fmt::format("\n  the table counts {} that left or changed since, too\n",
                     counted(left, "row"));
}

// In two digits, rounded up: what is said to be the most must be.
std::string at_most(double value) {
  double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return fmt::format("{:.2g}", std::ceil(value / unit - 1e-9) * unit);
}

std::string effort_text(const ProtectionReport& report) {
  std::string text;
  if (report.solved > 0) {
    text += fmt::format("  {} of {} proven optimal ({})\n", grouped(report.proven),
                        grouped(report.solved), percent(report.proven, report.solved));
  }
  if (report.obfuscation_bound) {
    const BoundedValue& value = *report.obfuscation_bound;
    text += fmt::format("  {} obfuscated values; no pairing needs fewer than {}{}\n",
                        grouped(value.value), grouped(value.bound),
                        value.value == value.bound ? ": proven optimal" : "");
  }
  if (report.largest_rounding > 0) {
    text +=
        fmt::format("  strengths are rounded by at most {}\n", at_most(report.largest_rounding));
  }
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

namespace {

std::string verb_of(const api::ProtectResult& result) {
  if (result.dry_run) {
    return result.continued ? "would continue" : result.replaced ? "would replace" : "would write";
  }
  return result.continued ? "continued" : result.replaced ? "replaced" : "wrote";
}

}  // namespace

std::string protect_summary(const api::ProtectResult& result) {
  std::string text =
      fmt::format("{} {}: {}\n{}, {} public and {} private attributes{}\n\n", verb_of(result),
                  printable(result.output), printable(claim_text(result.promise, result.coverage)),
                  counted(result.rows, "row"), result.public_attributes, result.private_attributes,
                  result.dry_run ? "" : ", " + format_bytes(result.file_bytes));
  return text + promise_text(result) + rows_text(result) + rungs_text(result) + sizes_text(result) +
         kept_text(result) + effort_text(report_so_far(result));
}

}  // namespace rankveil::cli
