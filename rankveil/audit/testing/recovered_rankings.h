// Rankings whose profiles attacks recover, for the tests of what is made of these.
#pragma once

#include <string>
#include <vector>

#include "rankveil/audit/campaign.h"
#include "rankveil/audit/testing/small_ranking.h"

namespace rankveil::audit::testing_support {

// Schemes that make sets of values, or strengths in whole steps. pvst fills up with shares, unless
// told otherwise.
inline std::vector<Demand> recoverable_demands() {
  return {{.scheme = "pvsv", .l = 2},
          {.scheme = "pvsv", .l = 3},
          {.scheme = "pvst", .l = 2, .fallback = Fallback::Suppress},
          {.scheme = "esvt", .l = 2},
          {.scheme = "esvt", .l = 3},
          {.scheme = "estt", .l = 2},
          {.scheme = "random", .l = 2},
          {.scheme = "generalise", .l = 2},
          {.scheme = "rr", .l = 2}};
}

// Twelve public groups of six rows each, so that sets of two come out even.
inline SmallRanking even_ranking(const Demand& demand, std::uint64_t seed, std::uint32_t k = 20) {
  Table random = small_table(72, seed);
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < 5; ++i) {
    std::vector<ValueId> values;
    for (std::uint32_t row = 0; row < 72; ++row) {
      std::uint32_t group = row / 6;
      std::uint32_t told = i == 0 ? group % 4 : i == 1 ? group / 4 : group % 2;
      values.push_back(i < 3 ? ValueId{static_cast<std::uint16_t>(told)}
                             : random.value(RowId{row}, AttributeId{i}));
    }
    columns.emplace_back(random.schema().attributes[i].domain.size(), values);
  }
  Table even(random.schema(), std::move(columns), random.names());
  return protected_table(std::move(even), demand, seed, k);
}

inline std::vector<Campaign> all_campaigns(const Arena& arena,
                                           const std::vector<std::uint32_t>& victims) {
  std::vector<Campaign> campaigns;
  const std::vector<std::string> all = {"all"};
  auto methods = choose_methods(arena, all);
  for (const attack::Method* method : *methods) {
    campaigns.push_back(*run_campaign(arena, *method, victims, {}));
  }
  return campaigns;
}

}  // namespace rankveil::audit::testing_support
