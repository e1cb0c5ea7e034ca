#include "rankveil/protect/estt/estt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/estt/pairing.h"
#include "rankveil/protect/estt/perfect_matching.h"
#include "rankveil/protect/estt/sorted_weight.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil {
namespace {

using testing_support::coded_table;
using testing_support::OwnTask;
using testing_support::profile_of;

// ---- Plain implementations from the specification. ----

using Rows = std::vector<std::vector<int>>;  // [row][attribute]
using Set = std::vector<std::uint32_t>;

int plain_same(const Rows& rows, std::uint32_t a, std::uint32_t b) {
  int equal = 0;
  for (std::size_t j = 0; j < rows[a].size(); ++j) equal += rows[a][j] == rows[b][j] ? 1 : 0;
  return equal;
}

int plain_cost(const Rows& rows, const Set& set, int l) {
  int cost = 0;
  for (std::size_t j = 0; j < rows[0].size(); ++j) {
    std::set<int> values;
    for (std::uint32_t row : set) values.insert(rows[row][j]);
    cost += std::max(0, l - static_cast<int>(values.size()));
  }
  return cost;
}

// All pairs in a list, sorted, taken one after the other.
std::vector<std::uint32_t> plain_sorted_weight(const Rows& rows) {
  std::vector<std::tuple<int, std::uint32_t, std::uint32_t>> all;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    for (std::uint32_t j = i + 1; j < rows.size(); ++j)
      all.emplace_back(plain_same(rows, i, j), i, j);
  }
  std::sort(all.begin(), all.end());
  std::vector<bool> taken(rows.size(), false);
  std::vector<std::uint32_t> pairs;
  for (const auto& [same, i, j] : all) {
    if (taken[i] || taken[j]) continue;
    taken[i] = taken[j] = true;
    pairs.push_back(i);
    pairs.push_back(j);
  }
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    if (!taken[i]) pairs.push_back(i);
  }
  return pairs;
}

// The least cost over all ways to cut the rows into sets of `size`, the last of which takes what is
// left over.
int plain_optimum(const Rows& rows, std::size_t size, int l) {
  std::size_t sets = std::max<std::size_t>(1, rows.size() / size);
  std::size_t larger = rows.size() - (sets - 1) * size;
  int best = 1 << 30;
  // One set is the larger one: try all its members, then cut the rest from the front.
  std::function<int(Set, std::size_t)> cut = [&](Set free, std::size_t left) -> int {
    if (left == 0) return 0;
    int least = 1 << 30;
    std::function<void(Set, std::size_t)> fill = [&](Set set, std::size_t from) {
      if (set.size() == size) {
        Set rest;
        for (std::uint32_t row : free) {
          if (std::find(set.begin(), set.end(), row) == set.end()) rest.push_back(row);
        }
        least = std::min(least, plain_cost(rows, set, l) + cut(rest, left - 1));
        return;
      }
      for (std::size_t i = from; i < free.size(); ++i) {
        Set more = set;
        more.push_back(free[i]);
        fill(more, i + 1);
      }
    };
    fill({free[0]}, 1);
    return least;
  };
  Set all(rows.size());
  std::iota(all.begin(), all.end(), 0U);
  if (larger == size) return cut(all, sets);
  std::function<void(Set, std::size_t)> choose = [&](Set set, std::size_t from) {
    if (set.size() == larger) {
      Set rest;
      std::set_difference(all.begin(), all.end(), set.begin(), set.end(), std::back_inserter(rest));
      best = std::min(best, plain_cost(rows, set, l) + cut(rest, sets - 1));
      return;
    }
    for (std::size_t i = from; i < all.size(); ++i) {
      Set more = set;
      more.push_back(all[i]);
      choose(more, i + 1);
    }
  };
  choose({}, 0);
  return best;
}

Rows random_rows(Rng& rng, std::size_t count, std::size_t width, std::uint64_t largest) {
  std::vector<std::uint64_t> domains;
  for (std::size_t j = 0; j < width; ++j) domains.push_back(1 + rng.below(largest));
  Rows rows(count);
  for (auto& row : rows) {
    for (std::uint64_t domain : domains) {
      double u = rng.uniform();
      row.push_back(static_cast<int>(static_cast<double>(domain) * u * u));
    }
  }
  return rows;
}

CodeRows coded(const Rows& rows) {
  std::vector<std::uint16_t> codes;
  for (const auto& row : rows) {
    for (int value : row) codes.push_back(static_cast<std::uint16_t>(value));
  }
  return CodeRows(static_cast<std::uint32_t>(rows[0].size()), codes);
}

void expect_partition(const EquivalentSets& sets, std::size_t rows, std::size_t size) {
  std::vector<std::uint32_t> all = sets.rows;
  std::sort(all.begin(), all.end());
  Set wanted(rows);
  std::iota(wanted.begin(), wanted.end(), 0U);
  ASSERT_EQ(all, wanted);
  ASSERT_EQ(sets.count(), std::max<std::size_t>(1, rows / size));
}

// Cuts the rows, checks what must always hold, and gives the cost.
std::uint64_t cut_cost(const Rows& rows, const PairingOptions& options) {
  EquivalentSets sets = cut_into_sets(coded(rows), options);
  expect_partition(sets, rows.size(), options.set_size);
  int cost = 0;
  for (std::uint32_t i = 0; i < sets.count(); ++i) {
    Set set(sets.set(i).begin(), sets.set(i).end());
    cost += plain_cost(rows, set, static_cast<int>(options.l));
  }
  EXPECT_EQ(sets.cost, static_cast<std::uint64_t>(cost));
  EXPECT_LE(sets.bound, sets.cost);
  return sets.cost;
}

TEST(SortedWeight, GivesThePairsOfTheSortedList) {
  for (std::uint64_t seed = 0; seed < some_of(1500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    std::size_t most = seed % 20 == 0 ? 300 : 40;
    Rows rows = random_rows(rng, 1 + rng.below(most), 1 + rng.below(12), 1 + rng.below(9));
    ASSERT_EQ(sorted_weight(coded(rows)), plain_sorted_weight(rows));
  }
}

TEST(Pairing, OptimalEqualsBruteForceOnGroupsOfUpToTen) {
  for (std::uint64_t seed = 0; seed < some_of(1500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Rows rows = random_rows(rng, 1 + rng.below(10), 1 + rng.below(8), 1 + rng.below(6));
    std::uint64_t cost = cut_cost(rows, {.seed = seed});
    ASSERT_EQ(cost, static_cast<std::uint64_t>(plain_optimum(rows, 2, 2)));
    ASSERT_TRUE(cut_into_sets(coded(rows), {.seed = seed}).proven());
    ASSERT_LE(cost, cut_cost(rows, {.pairing = Pairing::SortedWeight}));
  }
}

TEST(Matching, EqualsBruteForce) {
  for (std::uint64_t seed = 0; seed < some_of(300U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Rows rows = random_rows(rng, 2 * (1 + rng.below(5)), 1 + rng.below(8), 1 + rng.below(6));
    auto n = static_cast<std::uint32_t>(rows.size());
    std::vector<std::int32_t> costs(n * n, 0);
    for (std::uint32_t i = 0; i < n * n; ++i) costs[i] = plain_same(rows, i / n, i % n);
    auto partners = cheapest_matching(n, costs);
    int cost = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      ASSERT_EQ(partners[partners[i]], i);
      ASSERT_NE(partners[i], i);
      cost += plain_same(rows, i, partners[i]);
    }
    ASSERT_EQ(cost, 2 * plain_optimum(rows, 2, 2));
  }
}

TEST(Pairing, NeverCostsMoreThanSortedWeightNorLessThanTheBound) {
  for (std::uint64_t seed = 0; seed < some_of(120U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Rows rows = random_rows(rng, 11 + rng.below(100), 1 + rng.below(12), 2 + rng.below(9));
    std::uint64_t optimal = cut_cost(rows, {.seed = seed});
    ASSERT_LE(optimal, cut_cost(rows, {.pairing = Pairing::SortedWeight}));
    ASSERT_LE(optimal, cut_cost(rows, {.pairing = Pairing::Random}));
    if (rows.size() % 2 == 0) {
      ASSERT_TRUE(cut_into_sets(coded(rows), {.seed = seed}).proven());
    }
  }
}

TEST(Pairing, CutsLargerSetsWithinTheBoundAndNearTheOptimum) {
  std::uint64_t found = 0;
  std::uint64_t best = 0;
  for (std::uint64_t seed = 0; seed < some_of(200U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto size = static_cast<std::uint32_t>(3 + rng.below(2));
    auto l = static_cast<std::uint32_t>(2 + rng.below(size - 1));
    Rows rows = random_rows(rng, 1 + rng.below(9), 1 + rng.below(6), 1 + rng.below(6));
    std::uint64_t optimum =
        static_cast<std::uint64_t>(plain_optimum(rows, size, static_cast<int>(l)));
    PairingOptions options{.l = l, .set_size = size, .seed = seed};
    std::uint64_t cost = cut_cost(rows, options);
    ASSERT_GE(cost, optimum);
    ASSERT_LE(cut_into_sets(coded(rows), options).bound, optimum);
    found += cost;
    best += optimum;
    options.pairing = Pairing::SortedWeight;
    ASSERT_LE(cost, cut_cost(rows, options));
    options.pairing = Pairing::Random;
    cut_cost(rows, options);
  }
  EXPECT_LE(static_cast<double>(found), static_cast<double>(best) * 1.02);
}

TEST(Pairing, MeetsTheBoundInALargeGroupOnAnyNumberOfThreads) {
  Rng rng(3);
  Rows rows = random_rows(rng, 40'001, 5, 6);
  CodeRows codes = coded(rows);
  EquivalentSets one = cut_into_sets(codes, {.seed = 9, .threads = 1});
  EXPECT_TRUE(one.proven()) << one.cost << " against " << one.bound;
  for (std::uint32_t threads : {2U, 4U}) {
    EXPECT_EQ(cut_into_sets(codes, {.seed = 9, .threads = threads}).rows, one.rows);
  }
}

// ---- The scheme. ----

OwnTask random_task(Rng& rng, std::uint32_t l, std::uint32_t rows) {
  Schema schema =
      testing_support::random_schema(rng, {.rows = 0,
                                           .publics = static_cast<std::uint32_t>(rng.below(3)),
                                           .privates = static_cast<std::uint32_t>(1 + rng.below(5)),
                                           .largest_domain = 3});
  std::vector<Column> columns;
  for (Attribute& attribute : schema.attributes) {
    std::uint32_t size = attribute.domain.size();
    if (attribute.is_private()) size = l + static_cast<std::uint32_t>(rng.below(5));
    attribute.domain = testing_support::numbered_domain(size);
    columns.push_back(testing_support::random_column(rng, rows, size, 0.05));
  }
  OwnTask own{Table(std::move(schema), std::move(columns), RowNames(RowNumbers{rows}))};
  own.demand.l = l;
  own.demand.min_group = 2;
  return own;
}

std::vector<int> public_values(const Table& table, std::uint32_t row) {
  std::vector<int> values;
  for (std::uint32_t i = 0; i < table.schema().public_count(); ++i) {
    values.push_back(static_cast<int>(+table.value(RowId{row}, AttributeId{i})));
  }
  return values;
}

// Every strength of every attribute.
std::vector<std::vector<double>> whole_profile(const OwnTask& own, const Profiles& profiles,
                                               std::uint32_t row) {
  std::vector<std::vector<double>> all;
  auto sizes = own.task().private_domain_sizes();
  for (std::uint32_t j = 0; j < sizes.size(); ++j) {
    all.push_back(profile_of(profiles, RowId{row}, PrivateId{j}, sizes[j]));
  }
  return all;
}

// What a row's profile says about the set it is in: shares of at least l values, all multiples of
// one over the number of members. `missing`: how much of the set may lie on missing values.
void expect_set_profile(const std::vector<double>& profile, std::uint32_t l,
                        std::uint32_t members) {
  double sum = 0;
  std::uint32_t different = 0;
  for (double strength : profile) {
    sum += strength;
    different += strength > 0 ? 1 : 0;
    double count = strength * members;
    EXPECT_NEAR(count, std::round(count), 1e-9);
  }
  bool has_missing = sum < 1 - 1e-9;
  EXPECT_LE(sum, 1 + 1e-9);
  EXPECT_GE(different + (has_missing ? 1 : 0), l);
}

TEST(Estt, ServesSharesOfSetsWithEnoughDifferentValues) {
  for (std::uint64_t seed = 0; seed < some_of(1500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto l = static_cast<std::uint32_t>(2 + rng.below(3));
    OwnTask own = random_task(rng, l, static_cast<std::uint32_t>(1 + rng.below(30)));
    own.demand.set_size = rng.below(2) == 0 ? 0 : l + static_cast<std::uint32_t>(rng.below(4));
    own.demand.pairing = static_cast<Pairing>(rng.below(3));
    std::uint32_t size = own.demand.set_size == 0 ? l : own.demand.set_size;
    auto made = protect_estt(own.task());
    ASSERT_TRUE(made);
    const ProtectionReport& report = made->report;
    ASSERT_TRUE(report.obfuscation_bound);
    EXPECT_EQ(report.obfuscated_values, report.obfuscation_bound->value);
    EXPECT_LE(report.obfuscation_bound->bound, report.obfuscated_values);
    EXPECT_LE(report.rows_with_obfuscation, own.table.rows());
    EXPECT_EQ(report.obfuscated_values == 0, report.rows_with_obfuscation == 0);
    std::uint64_t rows_in_sets = 0;
    for (std::size_t members = 0; members < report.set_sizes.size(); ++members) {
      rows_in_sets += members * report.set_sizes[members];
    }
    EXPECT_EQ(rows_in_sets, own.table.rows());

    std::map<std::vector<int>, std::vector<std::uint32_t>> groups;
    for (std::uint32_t row = 0; row < own.table.rows(); ++row) {
      groups[public_values(own.table, row)].push_back(row);
    }
    EXPECT_EQ(report.solved, groups.size());
    std::uint64_t lost = 0;  // true values that their row's profile does not show
    for (const auto& [values, rows] : groups) {
      auto in_group = static_cast<std::uint32_t>(rows.size());
      std::uint32_t left = in_group < size ? in_group : size + in_group % size;
      for (std::uint32_t row : rows) {
        auto profile = whole_profile(own, made->profiles, row);
        for (std::uint32_t j = 0; j < profile.size(); ++j) {
          double sum = std::accumulate(profile[j].begin(), profile[j].end(), 0.0);
          // A usual set, or the last one of its group.
          bool usual = in_group >= size;
          for (double strength : profile[j]) {
            double count = strength * size;
            usual = usual && std::abs(count - std::round(count)) < 1e-9;
          }
          expect_set_profile(profile[j], l, usual ? size : std::max(l, left));
          AttributeId attribute{own.table.schema().public_count() + j};
          ValueId value = own.table.value(RowId{row}, attribute);
          if (value == missing_value) continue;
          EXPECT_GT(sum, 0);
          lost += profile[j][+value] == 0 ? 1 : 0;
        }
      }
    }
    // One of each value of a set stays, so every row still finds its own.
    EXPECT_EQ(lost, 0U);
    if (HasFailure()) return;
  }
}

// Sets can be read off the profiles when every row's values are its own.
TEST(Estt, GivesAllRowsOfASetTheSameProfile) {
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 60; ++i) rows.push_back({i % 2, i, i});
  OwnTask own{coded_table(rows, 1, {2, 60, 60})};
  own.demand.l = 2;
  auto made = protect_estt(own.task());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->report.obfuscated_values, 0U);
  EXPECT_EQ(made->report.proven, 2U);
  for (std::uint32_t row = 0; row < 60; ++row) {
    std::vector<std::uint32_t> alike;
    for (std::uint32_t other = 0; other < 60; ++other) {
      if (made->profiles.match(RowId{row}, PrivateId{0},
                               ValueId{static_cast<std::uint16_t>(other)}) > 0) {
        alike.push_back(other);
      }
    }
    ASSERT_EQ(alike.size(), 2U);
    EXPECT_EQ(alike[0] % 2, alike[1] % 2);
    EXPECT_EQ(whole_profile(own, made->profiles, alike[0]),
              whole_profile(own, made->profiles, alike[1]));
  }
}

TEST(Estt, TakesNewValuesFromTheGroupBeforeTheDomain) {
  // Two pairs; values 0 and 1 occur, 2 to 9 do not.
  OwnTask own{coded_table({{0, 0}, {0, 0}, {0, 0}, {0, 1}}, 1, {1, 10})};
  own.demand.l = 2;
  auto made = protect_estt(own.task());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->report.obfuscated_values, 1U);
  EXPECT_EQ(made->report.rows_with_obfuscation, 1U);
  for (std::uint32_t row = 0; row < 4; ++row) {
    auto profile = profile_of(made->profiles, RowId{row}, PrivateId{0}, 10);
    EXPECT_DOUBLE_EQ(profile[0], 0.5);
    EXPECT_DOUBLE_EQ(profile[1], 0.5);
  }
}

TEST(Estt, MakesUpMembersForARowAlone) {
  OwnTask own{coded_table({{0, 4}, {1, 2}, {1, 3}}, 1, {2, 6})};
  own.demand.l = 3;
  auto made = protect_estt(own.task());
  ASSERT_TRUE(made);
  auto alone = profile_of(made->profiles, RowId{0}, PrivateId{0}, 6);
  EXPECT_DOUBLE_EQ(alone[4], 1.0 / 3);
  EXPECT_EQ(std::count_if(alone.begin(), alone.end(), [](double s) { return s > 0; }), 3);
  auto two = profile_of(made->profiles, RowId{1}, PrivateId{0}, 6);
  EXPECT_DOUBLE_EQ(two[2], 1.0 / 3);
  EXPECT_DOUBLE_EQ(two[3], 1.0 / 3);
  EXPECT_EQ(made->report.obfuscated_values, 3U);
  EXPECT_EQ(made->report.rows_with_obfuscation, 3U);
  EXPECT_EQ(made->report.unique_rows, 1U);
}

TEST(Estt, ServesSetsOfManySizesByGroups) {
  // Sets of 4, 5, 6 and 7 rows have no common level below 255.
  std::vector<std::vector<int>> rows;
  for (int group = 0; group < 4; ++group) {
    for (int i = 0; i < 4 + group; ++i) rows.push_back({group, i});
  }
  OwnTask own{coded_table(rows, 1, {4, 8})};
  own.demand.l = 2;
  own.demand.set_size = 4;
  auto made = protect_estt(own.task());
  ASSERT_TRUE(made);
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    int size = 4 + rows[row][0];
    auto profile = profile_of(made->profiles, RowId{row}, PrivateId{0}, 8);
    for (int v = 0; v < 8; ++v) EXPECT_DOUBLE_EQ(profile[v], v < size ? 1.0 / size : 0);
  }
}

TEST(Estt, GivesSharesToRowsThatTakeNoPart) {
  OwnTask own{coded_table({{0, 0}, {0, 1}, {0, 1}, {0, 2}, {0, 3}}, 1, {1, 4})};
  own.demand.l = 2;
  own.demand.min_group = 2;
  Task task = own.task();
  task.taking_part = {1, 1, 1, 1, 0};
  auto made = protect_estt(task);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->report.rows_without_signal, 1U);
  EXPECT_DOUBLE_EQ(made->profiles.match(RowId{4}, PrivateId{0}, ValueId{1}), 0.5);
  EXPECT_EQ(made->profiles.match(RowId{4}, PrivateId{0}, ValueId{3}), 0);
  for (std::uint32_t row = 0; row < 4; ++row) {
    EXPECT_EQ(made->profiles.match(RowId{row}, PrivateId{0}, ValueId{3}), 0);
  }
}

TEST(Estt, DoesNotDependOnTheOrderOfRows) {
  Rng rng(4);
  OwnTask own = random_task(rng, 2, 3000);
  std::vector<std::uint32_t> order(own.table.rows());
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  IntegerNames names;
  std::vector<Column> columns;
  for (std::uint32_t row : order) names.values.push_back(row);
  for (std::uint32_t i = 0; i < own.table.schema().size(); ++i) {
    std::vector<ValueId> values;
    for (std::uint32_t row : order) values.push_back(own.table.value(RowId{row}, AttributeId{i}));
    columns.emplace_back(own.table.schema().attributes[i].domain.size(), values);
  }
  OwnTask shuffled{Table(own.table.schema(), columns, RowNames(names)), {}, own.demand};
  Task task = own.task();
  task.threads = 1;
  auto one = protect_estt(task);
  auto other = protect_estt(shuffled.task());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    ASSERT_EQ(whole_profile(shuffled, other->profiles, i),
              whole_profile(own, one->profiles, order[i]));
  }
}

}  // namespace
}  // namespace rankveil
