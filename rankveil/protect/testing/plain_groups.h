// For tests of schemes: public groups, ladder and shares written down once more, as plainly as the
// words that describe them, and the bytes of an index file.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "rankveil/base/file.h"
#include "rankveil/protect/testing/protect_tables.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil::testing_support {

using PlainRows = std::vector<std::uint32_t>;
// -1: missing.
using PlainVector = std::vector<int>;

inline int plain_value(const Table& table, std::uint32_t row, std::uint32_t attribute) {
  ValueId value = table.value(RowId{row}, AttributeId{attribute});
  return value == missing_value ? -1 : static_cast<int>(+value);
}

inline PlainVector private_vector(const Table& table, std::uint32_t row) {
  PlainVector vector;
  for (std::uint32_t i = table.schema().public_count(); i < table.schema().size(); ++i) {
    vector.push_back(plain_value(table, row, i));
  }
  return vector;
}

inline std::vector<std::vector<std::uint32_t>> plain_rungs(const Task& task) {
  std::vector<std::vector<std::uint32_t>> rungs(1);
  for (std::uint32_t i = 0; i < task.table.schema().public_count(); ++i) rungs[0].push_back(i);
  for (const auto& list : task.ladder) {
    rungs.emplace_back();
    for (AttributeId attribute : list) rungs.back().push_back(+attribute);
  }
  rungs.emplace_back();
  return rungs;
}

inline PlainVector plain_key(const Table& table, std::uint32_t row,
                             const std::vector<std::uint32_t>& columns) {
  PlainVector key;
  for (std::uint32_t column : columns) key.push_back(plain_value(table, row, column));
  return key;
}

struct PlainGroup {
  std::size_t rung;
  PlainRows rows;
};

// The groups of the ladder, and the rows that are in none.
struct PlainGroups {
  std::vector<PlainGroup> groups;
  PlainRows left;
};

inline PlainGroups plain_groups(const Task& task) {
  PlainGroups made;
  PlainRows todo;
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    (task.takes_part(RowId{row}) ? todo : made.left).push_back(row);
  }
  auto rungs = plain_rungs(task);
  for (std::size_t rung = 0; rung < rungs.size(); ++rung) {
    std::map<PlainVector, PlainRows> alike;
    for (std::uint32_t row : todo) alike[plain_key(task.table, row, rungs[rung])].push_back(row);
    todo.clear();
    for (const auto& [key, rows] : alike) {
      if (rows.size() >= task.demand.min_group) {
        made.groups.push_back({rung, rows});
      } else {
        todo.insert(todo.end(), rows.begin(), rows.end());
      }
    }
  }
  made.left.insert(made.left.end(), todo.begin(), todo.end());
  return made;
}

// The rows whose values a row without a group is served by.
inline PlainRows plain_cover(const Task& task, const PlainGroups& groups, std::uint32_t row) {
  auto rungs = plain_rungs(task);
  for (std::size_t rung = 0; rung < rungs.size(); ++rung) {
    PlainRows cover;
    for (const PlainGroup& group : groups.groups) {
      bool alike = plain_key(task.table, group.rows[0], rungs[rung]) ==
                   plain_key(task.table, row, rungs[rung]);
      if (group.rung <= rung && alike) {
        cover.insert(cover.end(), group.rows.begin(), group.rows.end());
      }
    }
    if (!cover.empty()) return cover;
  }
  return {};
}

// [attribute][value]: the share of `rows` that have it; 0 where there are no rows.
inline std::vector<std::vector<double>> plain_shares(const Table& table, const PlainRows& rows) {
  std::vector<std::vector<double>> shares;
  for (std::uint32_t i = table.schema().public_count(); i < table.schema().size(); ++i) {
    auto& column = shares.emplace_back(table.schema().attributes[i].domain.size(), 0.0);
    for (std::uint32_t row : rows) {
      int value = plain_value(table, row, i);
      if (value >= 0)
        column[static_cast<std::size_t>(value)] += 1.0 / static_cast<double>(rows.size());
    }
  }
  return shares;
}

inline void expect_profile(const Profiles& profiles, std::uint32_t row,
                           const std::vector<std::vector<double>>& wanted, double tolerance) {
  for (std::uint32_t j = 0; j < wanted.size(); ++j) {
    auto domain = static_cast<std::uint32_t>(wanted[j].size());
    auto made = profile_of(profiles, RowId{row}, PrivateId{j}, domain);
    for (std::uint32_t v = 0; v < domain; ++v) {
      EXPECT_NEAR(made[v], wanted[j][v], tolerance)
          << "row " << row << ", attribute " << j << ", value " << v;
    }
  }
}

// A random table with a demand, a ladder and rows that take no part, as it comes.
struct RandomTask {
  OwnTask own;
  std::vector<std::vector<AttributeId>> ladder;
  std::vector<std::uint8_t> taking_part;

  Task task() const {
    Task task = own.task();
    task.ladder = ladder;
    task.taking_part = taking_part;
    task.threads = 1;
    return task;
  }
};

inline RandomTask random_task(std::uint64_t seed, std::uint32_t max_rows = 60) {
  Rng rng(seed);
  RandomShape shape{1 + static_cast<std::uint32_t>(rng.below(max_rows)),
                    static_cast<std::uint32_t>(1 + rng.below(3)),
                    static_cast<std::uint32_t>(1 + rng.below(4))};
  shape.largest_domain = 2 + static_cast<std::uint32_t>(rng.below(5));
  RandomTask made{{random_table(rng, shape)}, {}, {}};
  made.own.demand.l = 2 + static_cast<std::uint32_t>(rng.below(4));
  made.own.demand.min_group = 1 + static_cast<std::uint32_t>(rng.below(10));
  made.own.key = SecretKey::from_seed(seed);
  if (rng.below(2) == 0) {
    made.own.workload = random_workload(rng, made.own.table.schema(), 5);
  }
  if (shape.publics > 1 && rng.below(2) == 0) made.ladder = {{AttributeId{0}}};
  if (rng.below(3) == 0) {
    for (std::uint32_t i = 0; i < shape.rows; ++i) made.taking_part.push_back(rng.below(5) != 0);
  }
  return made;
}

// What a server would be given.
inline std::string index_bytes(const Table& table, const Profiles& profiles,
                               const std::string& scheme) {
  auto path = (std::filesystem::path(::testing::TempDir()) / ("protect_test_" + scheme)).string();
  Index index = Index::build(public_part(table), profiles, {.scheme = scheme, .l = 3});
  EXPECT_TRUE(write_index(index, path));
  std::string bytes = *read_text(path);
  std::filesystem::remove(path);
  return bytes;
}

// The table with another private column.
inline Table with_private_values(const Table& table, const std::vector<PlainVector>& vectors) {
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    if (i < table.schema().public_count()) {
      columns.push_back(table.column(AttributeId{i}));
      continue;
    }
    std::vector<ValueId> values;
    for (const PlainVector& vector : vectors) {
      int value = vector[i - table.schema().public_count()];
      values.push_back(value < 0 ? missing_value : ValueId{static_cast<std::uint16_t>(value)});
    }
    columns.emplace_back(table.schema().attributes[i].domain.size(), values);
  }
  return Table(table.schema(), std::move(columns), table.names());
}

}  // namespace rankveil::testing_support
