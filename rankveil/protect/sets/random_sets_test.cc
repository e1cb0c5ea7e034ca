#include "rankveil/protect/sets/random_sets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/testing/set_tasks.h"

namespace rankveil {
namespace {

using testing_support::coded_table;
using testing_support::own_value;
using testing_support::OwnTask;
using testing_support::random_set_task;
using testing_support::same_profiles;
using testing_support::set_of;
using testing_support::SetTask;

TEST(RandomSets, HaveLValuesAndTheOwnOne) {
  for (std::uint64_t seed = 0; seed < some_of(1000U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    SetTask own = random_set_task(rng);
    Task task = own.task();
    auto made = protect_random_sets(task);
    ASSERT_TRUE(made);
    std::vector<std::uint64_t> sizes;
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
      for (std::uint32_t j = 0; j < task.private_count(); ++j) {
        if (!task.takes_part(RowId{row})) continue;
        std::uint32_t domain = task.private_domain_sizes()[j];
        auto set = set_of(made->profiles, row, j, domain);
        ASSERT_EQ(set.size(), std::min(own.demand.l, domain));
        int value = own_value(task, row, j);
        ASSERT_TRUE(value < 0 || set.contains(static_cast<std::uint32_t>(value)));
        sizes.resize(std::max(sizes.size(), set.size() + 1));
        ++sizes[set.size()];
      }
    }
    EXPECT_EQ(made->report.set_sizes, sizes);
  }
}

// Every set of l - 1 of the 5 other values comes up alike: 10 sets, 9 degrees of freedom.
void expect_all_sets_alike(const std::vector<std::vector<int>>& rows, std::uint32_t l,
                           std::size_t different) {
  std::map<std::set<std::uint32_t>, double> seen;
  constexpr int keys = 4000;
  for (std::uint64_t seed = 0; seed < keys; ++seed) {
    OwnTask own{coded_table(rows, 0, {6})};
    own.demand.l = l;
    own.key = SecretKey::from_seed(seed);
    auto made = protect_random_sets(own.task());
    ++seen[set_of(made->profiles, 0, 0, 6)];
  }
  ASSERT_EQ(seen.size(), different);
  double expected = static_cast<double>(keys) / static_cast<double>(different);
  double chi_square = 0;
  for (const auto& [set, count] : seen) {
    chi_square += (count - expected) * (count - expected) / expected;
  }
  // Beyond mean + 5 standard deviations: less than once in 10,000 for these sizes.
  auto freedom = static_cast<double>(different - 1);
  EXPECT_LT(chi_square, freedom + 5 * std::sqrt(2 * freedom));
}

TEST(RandomSets, AreUniformOverKeys) {
  expect_all_sets_alike({{2}}, 2, 5);
  expect_all_sets_alike({{2}}, 3, 10);
  expect_all_sets_alike({{0}}, 4, 10);
  expect_all_sets_alike({{-1}}, 3, 20);
}

TEST(RandomSets, StayWhateverElseIsInTheTable) {
  OwnTask small{coded_table({{2, 1}, {3, 0}}, 0, {9, 9})};
  small.demand.l = 4;
  OwnTask large{coded_table({{2, 1}, {3, 0}, {4, 5}, {8, 8}}, 0, {9, 9})};
  large.demand.l = 4;
  Rng rng(1);
  large.workload = testing_support::random_workload(rng, large.table.schema(), 5);
  auto before = protect_random_sets(small.task());
  auto after = protect_random_sets(large.task());
  EXPECT_TRUE(same_profiles(before->profiles, after->profiles, small.task()));
  large.key = SecretKey::from_seed(2);
  auto other = protect_random_sets(large.task());
  EXPECT_FALSE(same_profiles(before->profiles, other->profiles, small.task()));
}

TEST(RandomSets, DifferBetweenRowsAndAttributes) {
  OwnTask own{coded_table(std::vector<std::vector<int>>(60, {0, 0}), 0, {40, 40})};
  own.demand.l = 2;
  auto made = protect_random_sets(own.task());
  std::set<std::set<std::uint32_t>> seen;
  std::uint32_t same_in_row = 0;
  for (std::uint32_t row = 0; row < 60; ++row) {
    auto first = set_of(made->profiles, row, 0, 40);
    seen.insert(first);
    same_in_row += first == set_of(made->profiles, row, 1, 40) ? 1 : 0;
  }
  EXPECT_GT(seen.size(), 20U);
  EXPECT_LT(same_in_row, 10U);
}

}  // namespace
}  // namespace rankveil
