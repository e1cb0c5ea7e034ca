#include "rankveil/protect/swap/fitted/fitted_swap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "rankveil/protect/swap/fitted/coins.h"
#include "rankveil/protect/swap/shown_groups.h"
#include "rankveil/protect/testing/leaning_rows.h"

namespace rankveil {
namespace {

using fitted::FittedSwap;
using testing_support::coded_table;
using testing_support::leaning_rows;
using testing_support::OwnTask;

int public_value(const Table& table, std::uint32_t row, std::uint32_t column) {
  ValueId value = table.value(RowId{row}, AttributeId{column});
  return value == missing_value ? -1 : static_cast<int>(+value);
}

std::map<int, int> counts_of(const std::vector<std::uint16_t>& codes) {
  std::map<int, int> counts;
  for (std::uint16_t code : codes) ++counts[code];
  return counts;
}

std::vector<std::uint16_t> own_codes(const Task& task, std::uint32_t j) {
  std::vector<std::uint16_t> codes;
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    ValueId value = task.private_column(PrivateId{j}).value(RowId{row});
    codes.push_back(static_cast<std::uint16_t>(
        value == missing_value ? task.attribute(PrivateId{j}).domain.size() : +value));
  }
  return codes;
}

TEST(FittedSwap, ShowsTheTableSValuesToTheLast) {
  OwnTask own = leaning_rows(3000, 1);
  Task task = own.task();
  task.together = {{PrivateId{0}, PrivateId{1}}};
  FittedSwap swap(task);
  swap.run();
  for (std::uint32_t j = 0; j < 3; ++j) {
    EXPECT_EQ(counts_of(swap.shown()[j]), counts_of(own_codes(task, j))) << j;
  }
  EXPECT_EQ(swap.blocks().size(), 2U);
}

// Columns that are joined travel together: every pair that is shown is somebody's.
TEST(FittedSwap, KeepsJoinedColumnsTogether) {
  OwnTask own = leaning_rows(3000, 2);
  Task task = own.task();
  task.together = {{PrivateId{0}, PrivateId{2}}};
  FittedSwap swap(task);
  swap.run();
  auto pairs = [](const std::vector<std::uint16_t>& a, const std::vector<std::uint16_t>& b) {
    std::map<std::pair<int, int>, int> counts;
    for (std::size_t i = 0; i < a.size(); ++i) ++counts[{a[i], b[i]}];
    return counts;
  };
  EXPECT_EQ(pairs(swap.shown()[0], swap.shown()[2]), pairs(own_codes(task, 0), own_codes(task, 2)));
}

TEST(FittedSwap, LeavesThoseAloneWhoseCoinSaysSo) {
  OwnTask own = leaning_rows(2000, 3);
  Task task = own.task();
  FittedSwap swap(task);
  swap.run();
  std::uint64_t kept = 0;
  for (std::uint32_t j = 0; j < 3; ++j) {
    std::string block = block_name({task.attribute(PrivateId{j}).name});
    auto own_values = own_codes(task, j);
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
      std::string id = task.table.names().text(RowId{row});
      if (!keeps(task.key, block, id, task.demand.l, 0)) continue;
      ++kept;
      EXPECT_EQ(swap.shown()[j][row], own_values[row]);
    }
  }
  EXPECT_NEAR(static_cast<double>(kept) / 6000, 1 / 3.0, .03);
}

// What is shown fits each public column as well as what is true does, for rows that no class holds.
TEST(FittedSwap, WhatIsShownFitsPublicValuesAsTheTruthDoes) {
  Rng rng(4);
  std::vector<std::vector<int>> codes;
  for (int r = 0; r < 20'000; ++r) {
    int a = static_cast<int>(rng.below(40));
    int b = static_cast<int>(rng.below(40));
    codes.push_back({a, b, rng.below(3) == 0 ? static_cast<int>(rng.below(4)) : (a + b) % 4});
  }
  OwnTask own{coded_table(codes, 2, {40, 40, 4})};
  Task task = own.task();
  FittedSwap swap(task);
  swap.run();
  EXPECT_EQ(swap.rows_in_classes(), 0U);
  std::vector<std::vector<double>> shown(40, std::vector<double>(4, 0));
  std::vector<std::vector<double>> truth = shown;
  double fits = 0;
  for (std::size_t row = 0; row < codes.size(); ++row) {
    auto a = static_cast<std::size_t>(codes[row][0]);
    ++shown[a][swap.shown()[0][row]];
    ++truth[a][static_cast<std::size_t>(codes[row][2])];
    fits += (codes[row][0] + codes[row][1]) % 4 == swap.shown()[0][row] ? 1 : 0;
  }
  for (std::size_t a = 0; a < 40; ++a) {
    for (std::size_t v = 0; v < 4; ++v) {
      EXPECT_NEAR(shown[a][v], truth[a][v], 5 * std::sqrt(truth[a][v] + 1)) << a << " " << v;
    }
  }
  // A sum modulo 4 is no sum of effects: those who moved lose it.
  EXPECT_NEAR(fits / 20'000, (.75 + 2 * .25) / 3, .02);
}

// How often, under 60 keys, the last row shows its own value in the last column; and rows in
// classes.
struct ShownByLast {
  int own = 0;
  std::uint64_t rows_in_classes = 0;
};

ShownByLast shown_by_last(const Task& task) {
  ShownByLast made;
  std::uint32_t j = task.private_count() - 1;
  std::uint16_t own = own_codes(task, j).back();
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SecretKey key = SecretKey::from_seed(seed);
    Task one{.table = task.table,
             .workload = task.workload,
             .demand = task.demand,
             .key = key,
             .person_of = task.person_of,
             .person_names = task.person_names};
    FittedSwap swap(one);
    swap.run();
    EXPECT_EQ(counts_of(swap.shown()[j]), counts_of(own_codes(one, j))) << seed;
    made.own += swap.shown()[j].back() == own ? 1 : 0;
    made.rows_in_classes = swap.rows_in_classes();
  }
  return made;
}

// Whoever is in no class while nearly all others are would trade with nobody.
TEST(FittedSwap, WhoIsAloneInPublicTradesWithTheSmallestClass) {
  Rng rng(5);
  std::vector<std::vector<int>> codes;
  for (int r = 0; r < 700; ++r) codes.push_back({r < 400 ? 0 : 1, static_cast<int>(rng.below(20))});
  OwnTask all{coded_table(codes, 1, {3, 20})};
  EXPECT_EQ(shown_by_last(all.task()).rows_in_classes, 700U);
  codes.push_back({2, 7});
  OwnTask own{coded_table(codes, 1, {3, 20})};
  ShownByLast last = shown_by_last(own.task());
  EXPECT_EQ(last.rows_in_classes, 400U);
  EXPECT_LT(last.own, 35);  // a third keep theirs; one of twenty others is like it
}

// ---- Persons ----

// Two rows each for the first half of 400 persons; the third private column differs between them.
struct PersonsCase {
  OwnTask own;
  std::vector<std::uint32_t> person_of;
  std::vector<std::string> names;

  Task task() const {
    Task task = own.task();
    task.person_of = person_of;
    task.person_names = names;
    return task;
  }
};

PersonsCase persons_case(std::uint64_t seed) {
  Rng rng(seed);
  PersonsCase made;
  std::vector<std::vector<int>> codes;
  for (std::uint32_t p = 0; p < 400; ++p) {
    made.names.push_back("person " + std::to_string(p));
    int a = static_cast<int>(rng.below(4));
    int x = static_cast<int>(rng.below(3));
    for (std::uint32_t t = 0; t < (p < 200 ? 2U : 1U); ++t) {
      made.person_of.push_back(p);
      codes.push_back({a, x, static_cast<int>(rng.below(3))});
    }
  }
  made.own.table = coded_table(codes, 1, {4, 3, 3});
  return made;
}

TEST(FittedSwap, ShowsAPersonTheSameOnAllRowsWhereItIsTheSame) {
  PersonsCase persons = persons_case(1);
  Task task = persons.task();
  FittedSwap swap(task);
  swap.run();
  for (std::uint32_t row = 1; row < task.table.rows(); ++row) {
    if (persons.person_of[row] != persons.person_of[row - 1]) continue;
    EXPECT_EQ(swap.shown()[0][row], swap.shown()[0][row - 1]);
  }
}

// Histories travel whole, among persons with as many rows.
TEST(FittedSwap, TradesWholeHistories) {
  PersonsCase persons = persons_case(2);
  Task task = persons.task();
  FittedSwap swap(task);
  swap.run();
  auto histories = [&](const std::vector<std::uint16_t>& codes) {
    std::map<std::vector<int>, int> counts;
    for (std::uint32_t unit = 0; unit < swap.units().count(); ++unit) {
      std::vector<int> history;
      for (RowId row : swap.units().rows(unit)) history.push_back(codes[+row]);
      ++counts[history];
    }
    return counts;
  };
  EXPECT_EQ(histories(swap.shown()[1]), histories(own_codes(task, 1)));
}

TEST(FittedSwap, AHistoryThatIsAloneInPublicTradesWithTheSmallestClassOfItsLength) {
  Rng rng(6);
  std::vector<std::vector<int>> codes;
  PersonsCase persons;
  auto add = [&](int a, std::uint32_t rows) {
    auto person = static_cast<std::uint32_t>(persons.names.size());
    persons.names.push_back("person " + std::to_string(person));
    for (std::uint32_t t = 0; t < rows; ++t) {
      persons.person_of.push_back(person);
      codes.push_back({a, static_cast<int>(rng.below(20))});
    }
  };
  for (int p = 0; p < 150; ++p) add(0, 1);
  for (int p = 0; p < 200; ++p) add(0, 2);
  add(1, 2);
  persons.own.table = coded_table(codes, 1, {2, 20});
  ShownByLast last = shown_by_last(persons.task());
  EXPECT_EQ(last.rows_in_classes, 150U);
  EXPECT_LT(last.own, 35);
}

TEST(FittedSwap, RareLengthsOfHistoriesShowNothing) {
  PersonsCase persons = persons_case(3);
  // One more row for person 399, as the last row of the table: nobody else has two like it here.
  for (std::uint32_t row = 0; row < 120 * 2; ++row) persons.person_of[row] = row / 2;
  Task task = persons.task();
  task.taking_part.assign(task.table.rows(), 1);
  for (std::uint32_t row = 0; row < 220; ++row) task.taking_part[row] = 0;
  // 90 persons with two rows take part: too few. 200 with one row are enough.
  FittedSwap swap(task);
  swap.run();
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    EXPECT_EQ(swap.shows()[row], row < 400 ? 0 : 1) << row;
  }
  EXPECT_EQ(fitted::rows_of_rare_histories(task), 180U);
}

// ---- Base groups ----

TEST(ShownGroups, AreAFunctionOfPublicValuesAndCountWhatIsShown) {
  OwnTask own = leaning_rows(6000, 9);
  Task task = own.task();
  FittedSwap swap(task);
  swap.run();
  ShownGroups groups = ShownGroups::of(task, swap);
  EXPECT_GT(groups.count(), 5U);
  EXPECT_LE(groups.count(), 6000U / 256);
  std::map<std::pair<int, int>, std::uint32_t> seen;
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;
  for (std::uint32_t row = 0; row < 6000; ++row) {
    std::uint32_t group = groups.group_of(task, RowId{row});
    auto key = std::pair(public_value(own.table, row, 0), public_value(own.table, row, 1));
    EXPECT_EQ(seen.try_emplace(key, group).first->second, group);
    members[group].push_back(row);
  }
  GroupShares shares(groups.count(), task.private_domain_sizes());
  for (std::uint32_t g = 0; g < groups.count(); ++g) groups.fill(g, g, shares);
  for (const auto& [group, rows] : members) {
    EXPECT_GE(rows.size(), 50U);
    EXPECT_EQ(shares.size(group), rows.size() + 20);
    for (std::uint32_t j = 0; j < 3; ++j) {
      std::uint32_t mixed = 0;
      for (std::uint32_t v = 0; v < task.private_domain_sizes()[j]; ++v) {
        std::uint32_t counted = 0;
        for (std::uint32_t row : rows) counted += swap.shown()[j][row] == v ? 1 : 0;
        std::uint32_t count =
            shares.count(group, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)});
        EXPECT_GE(count, counted);
        mixed += count - counted;
      }
      EXPECT_LE(mixed, 20U);
      EXPECT_GE(mixed, 17U);  // the rest are missing values
    }
  }
}

TEST(ShownGroups, AreReadBackForLaterRows) {
  OwnTask own = leaning_rows(4000, 10);
  Task task = own.task();
  FittedSwap swap(task);
  swap.run();
  ShownGroups groups = ShownGroups::of(task, swap);
  auto parsed = parse_json(groups.to_json(task).dump());
  ASSERT_TRUE(parsed);
  auto again = ShownGroups::from_json(*parsed, task);
  ASSERT_TRUE(again);
  EXPECT_EQ(groups.groups_of_rows(task), again->groups_of_rows(task));
  EXPECT_EQ(again->to_json(task).dump(), groups.to_json(task).dump());
  EXPECT_FALSE(ShownGroups::from_json(Json().set("coordinates", 3), task));
}

// A history is in the order that the task says, not in that of the table.
TEST(FittedSwap, HistoriesGoByThePlaceOfTheirRows) {
  PersonsCase persons = persons_case(4);
  Task task = persons.task();
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    bool second = row > 0 && persons.person_of[row] == persons.person_of[row - 1];
    task.place_of.push_back(persons.person_of[row] < 200 && !second ? 1 : 0);
  }
  Persons units(task);
  EXPECT_EQ(+units.rows(0)[0], 1U);
  EXPECT_EQ(+units.rows(0)[1], 0U);
  EXPECT_EQ(+units.rows(300)[0], 500U);
}

}  // namespace
}  // namespace rankveil
