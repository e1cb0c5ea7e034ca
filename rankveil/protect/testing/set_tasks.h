// Seeded random tasks for tests of schemes, and what such tests ask of profiles.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil::testing_support {

// An OwnTask whose rows do not all take part.
struct SetTask : OwnTask {
  std::vector<std::uint8_t> taking_part = {};
  std::uint32_t threads = 1;

  Task task() const {
    Task made = OwnTask::task();
    made.taking_part = taking_part;
    made.threads = threads;
    return made;
  }
};

// Small tables of all shapes: up to 3 public and 4 private attributes, domains of 2 to 9 values
// (now and then one of 70), no or some missing values, unit, whole or real weights, an empty or a
// small workload, l from 2 to 5, all or most rows taking part.
inline SetTask random_set_task(Rng& rng, std::uint32_t max_rows = 40) {
  auto up_to = [&](std::uint64_t most) { return static_cast<std::uint32_t>(rng.below(most + 1)); };
  RandomShape shape{1 + up_to(max_rows - 1), up_to(3), 1 + up_to(3), 2 + up_to(7)};
  if (rng.below(20) == 0) shape.largest_domain = 70;
  shape.missing = rng.below(2) == 0 ? 0 : 0.15;
  Table drawn = random_table(rng, shape);
  Schema schema = drawn.schema();
  auto kind = static_cast<WeightKind>(rng.below(3));
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    double whole = 1 + up_to(4);
    double real = 0.25 * (1 + up_to(9));
    schema.attributes[i].weight = kind == WeightKind::Unit      ? 1
                                  : kind == WeightKind::Integer ? whole
                                                                : real;
    columns.push_back(drawn.column(AttributeId{i}));
  }
  SetTask made{{Table(std::move(schema), std::move(columns), drawn.names())}};
  made.demand.l = 2 + up_to(3);
  made.demand.min_group = 1 + up_to(5);
  made.key = SecretKey::from_seed(rng());
  made.workload = random_workload(rng, made.table.schema(), up_to(6));
  for (std::uint32_t row = 0; rng.below(3) == 0 && row < shape.rows; ++row) {
    made.taking_part.resize(shape.rows, 1);
    if (rng.below(6) == 0) made.taking_part[row] = 0;
  }
  return made;
}

// A table with skewed values, so that few rows cover many values, and its workload of some rows.
inline OwnTask skewed_task(Rng& rng, std::uint32_t rows, std::uint32_t publics,
                           const std::vector<std::uint32_t>& domains) {
  std::vector<std::vector<int>> values(rows);
  for (auto& row : values) {
    for (std::uint32_t domain : domains) {
      double u = rng.uniform();
      row.push_back(rng.below(50) == 0 ? -1 : static_cast<int>(domain * u * u * u * u));
    }
  }
  OwnTask own{coded_table(values, publics, domains)};
  for (std::uint32_t i = 0; i < 10; ++i) {
    Query query = empty_query(own.table.schema());
    for (std::uint32_t a = 0; a < domains.size(); ++a) {
      int value = values[rng.below(rows)][a];
      if (value >= 0) query.wanted[a] = {ValueId{static_cast<std::uint16_t>(value)}};
    }
    own.workload.entries.push_back({query, 1});
  }
  return own;
}

// The values that match fully. Fails the test when another strength than 0 and 1 is there.
inline std::set<std::uint32_t> set_of(const Profiles& profiles, std::uint32_t row, std::uint32_t j,
                                      std::uint32_t domain) {
  std::set<std::uint32_t> set;
  auto strengths = profile_of(profiles, RowId{row}, PrivateId{j}, domain);
  for (std::uint32_t v = 0; v < domain; ++v) {
    EXPECT_TRUE(strengths[v] == 0 || strengths[v] == 1) << "row " << row << " attribute " << j;
    if (strengths[v] == 1) set.insert(v);
  }
  return set;
}

// The row's own value, -1 if it has none.
inline int own_value(const Task& task, std::uint32_t row, std::uint32_t j) {
  ValueId own = task.private_column(PrivateId{j}).value(RowId{row});
  return own == missing_value ? -1 : static_cast<int>(+own);
}

// Whether two profiles are alike in every row, attribute and value.
inline bool same_profiles(const Profiles& left, const Profiles& right, const Task& task) {
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    for (std::uint32_t j = 0; j < task.private_count(); ++j) {
      std::uint32_t domain = task.private_column(PrivateId{j}).domain_size();
      if (profile_of(left, RowId{row}, PrivateId{j}, domain) !=
          profile_of(right, RowId{row}, PrivateId{j}, domain)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace rankveil::testing_support
