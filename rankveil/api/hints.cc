#include "rankveil/api/hints.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "rankveil/base/format.h"
#include "rankveil/table/telling/telling_values.h"

namespace rankveil::api {

namespace {

std::string rows_and_share(std::uint64_t rows, std::uint64_t all) {
  return fmt::format("{} ({})", counted(rows, "row"), percent(rows, all));
}

void add_unique(const TableSummary& summary, std::vector<std::string>& hints) {
  std::uint64_t unique = summary.public_groups.unique_rows;
  if (unique == 0) return;
  hints.push_back(fmt::format(
      "{} {} alone with {} public values: no ranking can hide {} from somebody who knows the "
      "table.",
      rows_and_share(unique, summary.rows), unique == 1 ? "is" : "are",
      unique == 1 ? "its" : "their", unique == 1 ? "it" : "them"));
}

void add_small_groups(const TableSummary& summary, std::vector<std::string>& hints) {
  const GroupSummary& groups = summary.public_groups;
  if (groups.rows_below_21 <= groups.unique_rows) return;
  hints.push_back(fmt::format(
      "{} share their public values with fewer than 20 others; fewer or coarser public attributes "
      "(bins) make larger crowds.",
      rows_and_share(groups.rows_below_21, summary.rows)));
}

void add_short_domains(const TableSummary& summary, std::uint32_t l,
                       std::vector<std::string>& hints) {
  std::map<std::uint32_t, std::vector<std::string>> by_largest;
  for (const AttributeSummary& attribute : summary.attributes) {
    if (!attribute.is_private || attribute.largest_l >= l) continue;
    by_largest[attribute.largest_l].push_back(attribute.name);
  }
  for (const auto& [largest, names] : by_largest) {
    bool one = names.size() == 1;
    hints.push_back(
        fmt::format("{} {} {} values{}: schemes that keep l = {} values possible refuse {}, up to "
                    "l = {} they take "
                    "{}; swap and cluster take any.",
                    listed(names, 12), one ? "has" : "have", largest, one ? "" : " each", l,
                    one ? "it" : "them", largest, one ? "it" : "them"));
  }
}

// An attacker who guesses the most frequent value is right that often before any query.
void add_lopsided(const TableSummary& summary, std::vector<std::string>& hints) {
  for (const AttributeSummary& attribute : summary.attributes) {
    if (!attribute.is_private || attribute.values.empty()) continue;
    auto most = std::max_element(
        attribute.values.begin(), attribute.values.end(),
        [](const ValueCount& left, const ValueCount& right) { return left.rows < right.rows; });
    if (most->rows * 10 < summary.rows * 9) continue;
    hints.push_back(
        fmt::format("{} of {} is {}: guessing it is right that often without any "
                    "query.",
                    percent(most->rows, summary.rows), attribute.name, most->value));
  }
}

void add_no_private(const TableSummary& summary, std::vector<std::string>& hints) {
  bool some = std::any_of(summary.attributes.begin(), summary.attributes.end(),
                          [](const AttributeSummary& attribute) { return attribute.is_private; });
  if (some) return;
  hints.push_back("No attribute is private: there is nothing to protect.");
}

void add_mostly_missing(const TableSummary& summary, std::vector<std::string>& hints) {
  std::vector<std::string> names;
  for (const AttributeSummary& attribute : summary.attributes) {
    if (attribute.missing * 2 > summary.rows) names.push_back(attribute.name);
  }
  if (names.empty()) return;
  hints.push_back(
      fmt::format("Mostly missing: {}; a missing value matches nothing.", listed(names)));
}

}  // namespace

std::vector<std::string> hints(const TableSummary& summary, const Policy& policy) {
  std::vector<std::string> hints;
  add_unique(summary, hints);
  add_small_groups(summary, hints);
  add_short_domains(summary, policy.l, hints);
  add_lopsided(summary, hints);
  add_no_private(summary, hints);
  add_mostly_missing(summary, hints);
  return hints;
}

void add_telling_values(const Table& table, const Policy& policy, std::uint32_t threads,
                        std::vector<std::string>& hints) {
  if (policy.l < 2) return;
  auto told = telling_values(table, {.l = policy.l, .threads = threads});
  if (told.empty()) return;
  std::string named;
  for (std::size_t i = 0; i < std::min<std::size_t>(4, told.size()); ++i) {
    named += (i == 0 ? "" : "; ") + to_text(table.schema(), told[i], "have");
  }
  if (told.size() > 4) named += fmt::format("; and {} more", told.size() - 4);
  hints.push_back(
      fmt::format("Public values tell private ones by a gain above 1/{}: {}. No ranking by such "
                  "columns hides that; leave them out, or make them coarser.",
                  policy.l, named));
}

}  // namespace rankveil::api
