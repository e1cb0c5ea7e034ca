#include "rankveil/api/columns_apart.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "rankveil/base/format.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::api {

namespace {

bool share_a_coin(const Policy& policy, const std::string& a, const std::string& b) {
  return std::ranges::any_of(policy.together, [&](const auto& list) {
    return std::ranges::find(list, a) != list.end() && std::ranges::find(list, b) != list.end();
  });
}

std::uint32_t coins_of(const Policy& policy, const std::vector<std::string>& columns) {
  std::uint32_t coins = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    bool has_one = std::any_of(
        columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(i),
        [&](const std::string& before) { return share_a_coin(policy, before, columns[i]); });
    coins += has_one ? 0 : 1;
  }
  return coins;
}

std::vector<ColumnsApart> with_gains(const Policy& policy, std::vector<NearCopies> found) {
  std::vector<ColumnsApart> apart;
  for (NearCopies& copies : found) {
    double gain = 1 - std::pow(1 - 1.0 / policy.l, coins_of(policy, copies.columns));
    apart.push_back({std::move(copies), gain});
  }
  return apart;
}

// "race and birth (92% or more of what one says, another says, too); a and b (...)"
std::string copies_text(const std::vector<NearCopies>& copies) {
  std::string text;
  for (const NearCopies& one : copies) {
    text +=
        fmt::format("{}{} ({:.0f}% or more of what one says, another says, too)",
                    text.empty() ? "" : "; ", listed(one.columns), std::floor(100 * one.shared));
  }
  return text;
}

}  // namespace

std::string to_text(const ColumnsApart& columns) {
  return fmt::format(
      "{} say nearly the same and have coins of their own: of exact copies that show the same, "
      "{:.2f} "
      "would be gained",
      listed(columns.copies.columns), columns.gain);
}

Json columns_apart_json(const std::vector<ColumnsApart>& columns) {
  Json::Array list;
  for (const ColumnsApart& one : columns) {
    list.push_back(Json()
                       .set("columns", json_texts(one.copies.columns))
                       .set("shared", one.copies.shared)
                       .set("gain", one.gain));
  }
  return list;
}

std::vector<NearCopies> copies_to_settle(const Policy& policy, const Table& table,
                                         std::uint32_t threads) {
  ColumnLists settled = policy.together;
  settled.insert(settled.end(), policy.apart.begin(), policy.apart.end());
  return near_copies(table, settled, threads);
}

Result<std::vector<ColumnsApart>> check_columns_apart(const ApartAsked& asked, const Table& table,
                                                      std::vector<std::string>& warnings) {
  if (!asked.scheme.fits_model) return std::vector<ColumnsApart>{};
  auto apart = near_copies(table, asked.policy.together, asked.threads);
  bool all_are_open = apart.empty() || asked.policy.apart.empty();
  auto open = all_are_open ? apart : copies_to_settle(asked.policy, table, asked.threads);
  std::string join = together_key(asked.policy.together, open);
  if (!open.empty() && !asked.goes_on) {
    return bad_input(fmt::format(
        "private columns that say nearly the same have coins of their own, so what one shows tells "
        "the coin of another: {}; let them share a coin by {} in the policy, or, if they are meant "
        "to have their own, write {}",
        copies_text(open), join, apart_key(asked.policy.apart, open)));
  }
  if (!open.empty()) {
    warnings.push_back(fmt::format(
        "Private columns that say nearly the same have coins of their own, so what one shows tells "
        "the coin of another: {}. The coins of earlier builds stay as they are; {} in the policy "
        "joins those of newcomers, and with --new-release those of everybody.",
        copies_text(open), join));
  }
  return with_gains(asked.policy, std::move(apart));
}

}  // namespace rankveil::api
