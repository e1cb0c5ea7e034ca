#include "rankveil/protect/pvst/pvst.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/testing/set_tasks.h"

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing_support::coded_table;
using testing_support::own_value;
using testing_support::OwnTask;
using testing_support::profile_of;
using testing_support::random_set_task;
using testing_support::same_profiles;
using testing_support::set_of;
using testing_support::SetTask;
using testing_support::skewed_task;

// The loop as it is defined, over rows and with real numbers kept whole by quarters.
struct PlainPvst {
  const Task& task;
  std::vector<std::vector<std::int64_t>> freq;  // [attribute][value], times weight, times 4

  explicit PlainPvst(const Task& of) : task(of) {
    const Schema& schema = task.table.schema();
    for (std::uint32_t j = 0; j < task.private_count(); ++j) {
      const Attribute& attribute = schema.attributes[schema.public_count() + j];
      freq.emplace_back(attribute.domain.size(), 0);
      for (const auto& entry : task.workload.entries) {
        for (ValueId value : entry.query.wanted[schema.public_count() + j]) {
          freq[j][+value] += static_cast<std::int64_t>(entry.count) *
                             static_cast<std::int64_t>(std::lround(4 * attribute.weight));
        }
      }
    }
  }

  bool same_public(std::uint32_t a, std::uint32_t b) const {
    for (std::uint32_t i = 0; i < task.table.schema().public_count(); ++i) {
      if (task.table.value(RowId{a}, AttributeId{i}) != task.table.value(RowId{b}, AttributeId{i}))
        return false;
    }
    return true;
  }

  std::int64_t cover(std::uint32_t other, const std::vector<std::set<std::uint32_t>>& sets) const {
    std::int64_t count = 0;
    for (std::uint32_t j = 0; j < sets.size(); ++j) {
      int value = own_value(task, other, j);
      bool is_new = value >= 0 && !sets[j].contains(static_cast<std::uint32_t>(value));
      count += sets[j].size() < task.demand.l && is_new ? 1 : 0;
    }
    return count;
  }

  std::int64_t loss(std::uint32_t row, std::uint32_t other) const {
    std::int64_t sum = 0;
    for (std::uint32_t j = 0; j < freq.size(); ++j) {
      int value = own_value(task, other, j);
      if (value >= 0 && value != own_value(task, row, j)) {
        sum += freq[j][static_cast<std::size_t>(value)];
      }
    }
    return sum;
  }

  void add(std::uint32_t other, std::vector<std::set<std::uint32_t>>& sets) const {
    for (std::uint32_t j = 0; j < sets.size(); ++j) {
      int value = own_value(task, other, j);
      if (value >= 0) sets[j].insert(static_cast<std::uint32_t>(value));
    }
  }

  std::vector<std::set<std::uint32_t>> sets_of(std::uint32_t row) const {
    std::vector<std::set<std::uint32_t>> sets(task.private_count());
    add(row, sets);
    for (;;) {
      std::int64_t best_cover = 0, best_loss = 0;
      std::uint32_t best = 0;
      for (std::uint32_t other = 0; other < task.table.rows(); ++other) {
        if (!task.takes_part(RowId{other}) || !same_public(row, other)) continue;
        std::int64_t other_cover = cover(other, sets);
        std::int64_t other_loss = loss(row, other);
        bool better = other_cover > best_cover ||
                      (other_cover == best_cover && other_cover > 0 && other_loss < best_loss);
        if (!better) continue;
        best_cover = other_cover;
        best_loss = other_loss;
        best = other;
      }
      if (best_cover == 0) return sets;
      add(best, sets);
    }
  }
};

// Shares among rows that take part and are alike in the finest list of columns with enough of them.
std::vector<double> plain_shares(const Task& task, std::uint32_t row, std::uint32_t j) {
  std::uint32_t domain = task.private_domain_sizes()[j];
  PlainPvst plain(task);
  for (bool all_rows : {false, true}) {
    std::vector<double> counts(domain, 0);
    double rows = 0;
    for (std::uint32_t other = 0; other < task.table.rows(); ++other) {
      if (!task.takes_part(RowId{other})) continue;
      if (!all_rows && !plain.same_public(row, other)) continue;
      ++rows;
      int value = own_value(task, other, j);
      if (value >= 0) ++counts[static_cast<std::size_t>(value)];
    }
    if (rows < task.demand.min_group) continue;
    for (double& count : counts) count /= rows;
    return counts;
  }
  return std::vector<double>(domain, 0);  // too few rows to speak for anybody
}

struct PlainReport {
  std::vector<std::uint64_t> set_sizes, short_sets;
  std::uint64_t rows_with_short_sets = 0;
};

void expect_plain_profile(const Task& task, const Profiles& profiles, std::uint32_t row,
                          const std::vector<std::set<std::uint32_t>>& sets, PlainReport& report) {
  bool any_short = false;
  report.short_sets.resize(sets.size());
  for (std::uint32_t j = 0; j < sets.size(); ++j) {
    std::uint32_t domain = task.private_domain_sizes()[j];
    auto strengths = profile_of(profiles, RowId{row}, PrivateId{j}, domain);
    if (sets[j].size() >= task.demand.l) {
      ASSERT_EQ(set_of(profiles, row, j, domain), sets[j]) << "row " << row << " attribute " << j;
      report.set_sizes.resize(std::max(report.set_sizes.size(), sets[j].size() + 1));
      ++report.set_sizes[sets[j].size()];
      continue;
    }
    any_short = true;
    ++report.short_sets[j];
    std::vector<double> expected(domain, task.demand.fallback == Fallback::WholeDomain ? 1 : 0);
    if (task.demand.fallback == Fallback::Shares) expected = plain_shares(task, row, j);
    ASSERT_THAT(strengths, testing::Pointwise(testing::DoubleNear(1e-12), expected))
        << "row " << row << " attribute " << j;
  }
  report.rows_with_short_sets += any_short ? 1 : 0;
}

void expect_plain(const Task& task, const Protection& made) {
  PlainPvst plain(task);
  PlainReport report;
  report.short_sets.resize(task.private_count());
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    if (task.takes_part(RowId{row})) {
      expect_plain_profile(task, made.profiles, row, plain.sets_of(row), report);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_EQ(made.report.set_sizes, report.set_sizes);
  EXPECT_EQ(made.report.short_sets, report.short_sets);
  EXPECT_EQ(made.report.rows_with_short_sets, report.rows_with_short_sets);
}

TEST(Pvst, AgreesWithTheLoopOfItsDefinitionOnRandomTables) {
  for (std::uint64_t seed = 0; seed < some_of(2000U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    SetTask own = random_set_task(rng);
    own.demand.fallback = static_cast<Fallback>(rng.below(3));
    auto made = protect_pvst(own.task());
    ASSERT_TRUE(made);
    expect_plain(own.task(), *made);
    if (testing::Test::HasFatalFailure()) return;
  }
}

void expect_plain_in_some_rows(const Task& task, const Protection& made, Rng& rng,
                               std::uint32_t rows) {
  PlainPvst plain(task);
  PlainReport report;
  for (std::uint32_t i = 0; i < rows; ++i) {
    auto row = static_cast<std::uint32_t>(rng.below(task.table.rows()));
    expect_plain_profile(task, made.profiles, row, plain.sets_of(row), report);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Pvst, AgreesWithTheLoopInLargeGroups) {
  for (std::uint32_t seed = 0; seed < some_of(4U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    OwnTask own = skewed_task(rng, 12000, seed % 2, {2, 5, 6, 8, 12, 15, 9});
    own.demand.l = 2 + seed;
    auto made = protect_pvst(own.task());
    ASSERT_TRUE(made);
    expect_plain_in_some_rows(own.task(), *made, rng, 25);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Pvst, AgreesWithTheLoopInLargeDomains) {
  for (std::uint32_t seed = 0; seed < (sanitized ? 2U : 4U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    OwnTask own = skewed_task(rng, 5000, 0, {255, 300, 256, 1000, 3});
    own.demand.l = 2 + seed;
    auto made = protect_pvst(own.task());
    ASSERT_TRUE(made);
    expect_plain_in_some_rows(own.task(), *made, rng, 25);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Pvst, GivesTheSameWithAnyNumberOfThreads) {
  for (std::uint32_t seed = 0; seed < (sanitized ? 2U : 4U); ++seed) {
    Rng rng(seed);
    OwnTask own = skewed_task(rng, 9000, seed % 3, {3, 5, 6, 70, 5, 9});
    own.demand.l = 3;
    Task task = own.task();
    task.threads = 1;
    auto one = protect_pvst(task);
    for (std::uint32_t threads : {2U, 4U}) {
      task.threads = threads;
      auto more = protect_pvst(task);
      EXPECT_TRUE(same_profiles(one->profiles, more->profiles, task)) << threads;
      EXPECT_EQ(one->report.set_sizes, more->report.set_sizes);
    }
  }
}

// Rows 0 to 2 are alike in public; row 3 is alone. Row 1 differs from row 0 in both, row 2 in one.
TEST(Pvst, TakesWhoeverCoversMostAndLeavesLonelyRowsToTheFallback) {
  OwnTask own{coded_table({{0, 0, 0}, {0, 1, 1}, {0, 2, 0}, {1, 2, 2}}, 1, {2, 3, 3})};
  own.demand.l = 2;
  own.demand.min_group = 2;
  auto made = protect_pvst(own.task());
  ASSERT_TRUE(made);
  EXPECT_THAT(set_of(made->profiles, 0, 0, 3), ElementsAre(0, 1));
  EXPECT_THAT(set_of(made->profiles, 0, 1, 3), ElementsAre(0, 1));
  EXPECT_THAT(set_of(made->profiles, 2, 0, 3), ElementsAre(1, 2));
  EXPECT_THAT(profile_of(made->profiles, RowId{3}, PrivateId{0}, 3), ElementsAre(0.25, 0.25, 0.5));
  EXPECT_EQ(made->report.unique_rows, 1U);
  EXPECT_THAT(made->report.short_sets, ElementsAre(1, 1));
  EXPECT_EQ(made->report.rows_with_short_sets, 1U);
  EXPECT_EQ(made->report.rows_without_signal, 1U);
}

TEST(Pvst, PrefersTheLeastLossThenTheFirstRow) {
  OwnTask own{coded_table({{0}, {1}, {2}, {3}}, 0, {4})};
  own.demand.l = 2;
  Query query = empty_query(own.table.schema());
  query.wanted[0] = {ValueId{1}};
  own.workload.entries.push_back({query, 1});
  auto made = protect_pvst(own.task());
  EXPECT_THAT(set_of(made->profiles, 0, 0, 4), ElementsAre(0, 2));
  EXPECT_THAT(set_of(made->profiles, 1, 0, 4), ElementsAre(0, 1));
}

TEST(Pvst, RefusesCountsThatDoNotFit) {
  OwnTask own{coded_table({{0}, {1}}, 0, {2})};
  Query query = empty_query(own.table.schema());
  query.wanted[0] = {ValueId{1}};
  own.workload.entries.push_back({query, std::uint64_t{1} << 63});
  auto made = protect_pvst(own.task());
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, testing::HasSubstr("divide all counts"));
}

}  // namespace
}  // namespace rankveil
