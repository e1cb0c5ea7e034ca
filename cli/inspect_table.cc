#include "cli/inspect_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/terminal.h"
#include "cli/text_table.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

constexpr std::uint32_t usual_frequent_values = 3;

std::string heading(std::string_view text) {
  return fmt::format("\n{}\n", styled(out_terminal(), Style::Bold, text));
}

std::uint64_t count_private(const TableSummary& summary) {
  return static_cast<std::uint64_t>(
      std::count_if(summary.attributes.begin(), summary.attributes.end(),
                    [](const AttributeSummary& attribute) { return attribute.is_private; }));
}

std::string title(const api::TableReport& report) {
  auto hidden = count_private(report.summary);
  return fmt::format("{}: {}, {} public and {} private attributes, {}\n\n", printable(report.name),
                     counted(report.summary.rows, "row"), report.summary.attributes.size() - hidden,
                     hidden,
                     report.drafted() ? "policy drafted from the data"
                                      : "policy " + printable(report.policy_path));
}

std::vector<ValueCount> by_frequency(std::vector<ValueCount> values) {
  std::stable_sort(
      values.begin(), values.end(),
      [](const ValueCount& left, const ValueCount& right) { return left.rows > right.rows; });
  return values;
}

std::string most_frequent(const AttributeSummary& attribute, std::uint64_t rows, std::size_t top) {
  std::string text;
  auto values = by_frequency(attribute.values);
  for (std::size_t i = 0; i < std::min(top, values.size()); ++i) {
    text +=
        fmt::format("{}{} {}", i == 0 ? "" : ", ", values[i].value, percent(values[i].rows, rows));
  }
  return values.size() > top ? text + ", ..." : text;
}

// Columns that no ranking uses stay in sight: what is ignored may have been meant to be used.
void add_left_out(const api::TableReport& report, TextTable& table) {
  for (const draft::ColumnSight& column : report.left_out) {
    bool known = column.values > 0 || column.missing > 0;
    std::string frequent;
    for (const auto& [value, rows] : column.frequent) {
      bool repeats = 50 * rows >= report.summary.rows;
      if (repeats)
        frequent += fmt::format("{}{} {}", frequent.empty() ? "" : ", ", value,
                                percent(rows, report.summary.rows));
    }
    table.row({column.name,
               column.role == Role::Undecided ? "?" : std::string(role_name(column.role)), "",
               !known            ? ""
               : column.is_exact ? grouped(column.values)
                                 : "many",
               known ? percent(column.missing, report.summary.rows) : "", "", frequent});
  }
}

std::string attributes_text(const api::TableReport& report, std::size_t top) {
  TextTable table;
  table.column("attribute");
  table.column("role");
  table.column("weight", Align::Right);
  table.column("values", Align::Right);
  table.column("missing", Align::Right);
  table.column("largest l", Align::Right);
  table.column("most frequent");
  for (const AttributeSummary& attribute : report.summary.attributes) {
    table.row({attribute.name, attribute.is_private ? "private" : "public",
               fmt::format("{:g}", attribute.weight), grouped(attribute.values.size()),
               percent(attribute.missing, report.summary.rows),
               attribute.is_private ? grouped(attribute.largest_l) : "",
               most_frequent(attribute, report.summary.rows, top)});
  }
  add_left_out(report, table);
  return table.render(out_terminal());
}

std::string bar(std::uint64_t part, std::uint64_t whole) {
  constexpr std::uint64_t cells = 30;
  auto full = whole == 0 ? 0 : (part * cells + whole / 2) / whole;
  std::string text;
  for (std::uint64_t i = 0; i < full; ++i) text += out_terminal().is_terminal ? "█" : "#";
  return text;
}

std::string values_text(const AttributeSummary& attribute, std::uint64_t rows) {
  TextTable table;
  table.column(attribute.name + (attribute.is_private ? " (private)" : " (public)"));
  table.column("rows", Align::Right);
  table.column("share", Align::Right);
  table.column("");
  for (const ValueCount& value : attribute.values) {
    table.row({value.value, grouped(value.rows), percent(value.rows, rows), bar(value.rows, rows)});
  }
  if (attribute.missing > 0) {
    table.row({"(missing)", grouped(attribute.missing), percent(attribute.missing, rows),
               bar(attribute.missing, rows)});
  }
  return fmt::format("\n{}", table.render(out_terminal()));
}

std::string with_share(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{} ({})", grouped(part), percent(part, whole));
}

std::string size_range(const GroupSizeClass& one) {
  if (one.has_no_end()) return fmt::format("{} or more", grouped(one.least));
  if (one.least == one.most) return grouped(one.least);
  return fmt::format("{} to {}", grouped(one.least), grouped(one.most));
}

std::string group_sizes_text(const TableSummary& summary) {
  TextTable table;
  table.column("rows in a group", Align::Right);
  table.column("groups", Align::Right);
  table.column("rows", Align::Right);
  table.column("share", Align::Right);
  table.column("");
  for (const GroupSizeClass& one : summary.public_groups.sizes) {
    table.row({size_range(one), grouped(one.groups), grouped(one.rows),
               percent(one.rows, summary.rows), bar(one.rows, summary.rows)});
  }
  return fmt::format("\n{}", table.render(out_terminal()));
}

std::string groups_text(const TableSummary& summary) {
  const GroupSummary& groups = summary.public_groups;
  return heading("Groups of rows with the same public values") +
         fact("groups", grouped(groups.groups)) +
         fact("rows in a group",
              fmt::format("smallest {}, median {}, largest {}", grouped(groups.smallest),
                          grouped(groups.median), grouped(groups.largest))) +
         fact("rows alone in theirs", with_share(groups.unique_rows, summary.rows)) +
         fact("rows in groups below 21", with_share(groups.rows_below_21, summary.rows)) +
         group_sizes_text(summary);
}

std::string size_text(const api::TableReport& report) {
  const TableSummary& summary = report.summary;
  return heading("Size") +
         fact("rows that repeat another", with_share(summary.repeated_rows, summary.rows)) +
         fact("table in memory", format_bytes(summary.table_bytes)) +
         fact("index, about", format_bytes(report.index_bytes));
}

std::string crowd_step_text(const CrowdStep& step) {
  return step.is_whole ? step.column : fmt::format("{} in {} bins", step.column, step.values);
}

void add_crowd_steps(const std::vector<CrowdStep>& steps, std::string_view mark, TextTable& table) {
  for (const CrowdStep& step : steps) {
    table.row({std::string(mark) + crowd_step_text(step),
               fmt::format("{:.1f}%", 100 * step.covered),
               fmt::format("{:.1f}%", 100 * step.kept)});
  }
}

std::string crowds_text(const std::optional<CrowdsProposal>& crowds) {
  if (!crowds) return "";
  TextTable table;
  table.column("show");
  table.column("rows in a crowd", Align::Right);
  table.column("kept", Align::Right);
  add_crowd_steps(crowds->steps, "", table);
  add_crowd_steps(crowds->beyond, "(beyond) ", table);
  return heading(fmt::format("Crowds of {} for {:g}% of rows", crowds->asked.crowd,
                             100 * crowds->asked.share)) +
         fact("all public columns",
              fmt::format("{:.1f}% of rows have a crowd", 100 * crowds->covered_by_all)) +
         "\n" + table.render(out_terminal()) +
         "\n  kept: the share of its entropy that a public column still shows, on average over all "
         "of "
         "them\n";
}

std::string near_copies_text(const std::vector<NearCopies>& copies) {
  if (copies.empty()) return "";
  std::string text = heading("Private columns that say nearly the same");
  for (const NearCopies& one : copies) {
    text += fmt::format("- {}: {:.0f}% or more of what one says, another says, too\n",
                        printable(listed(one.columns)), std::floor(100 * one.shared));
  }
  return text +
         "  join them by together = [...] in the policy, so that they share a coin; swap refuses "
         "them\n"
         "  otherwise, unless apart = [...] says that it is meant\n";
}

std::string hints_text(const std::vector<std::string>& hints) {
  if (hints.empty()) return "";
  std::string text = heading("What this means");
  for (const std::string& hint : hints) text += fmt::format("- {}\n", printable(hint));
  return text;
}

}  // namespace

std::string show(const api::TableReport& report, const InspectReportOptions& options) {
  std::string text =
      title(report) + attributes_text(report, options.top.value_or(usual_frequent_values));
  if (options.all_values) {
    for (const auto& attribute : report.summary.attributes) {
      text += values_text(attribute, report.summary.rows);
    }
  }
  return text + groups_text(report.summary) + crowds_text(report.crowds) +
         near_copies_text(report.near_copies) + size_text(report) + hints_text(report.hints);
}

}  // namespace rankveil::cli
