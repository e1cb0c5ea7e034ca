#include "rankveil/ranking/store/group_reach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/ranking/scan/scan.h"
#include "rankveil/ranking/store/state.h"
#include "rankveil/ranking/testing/expect_plain.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

// A group for each public vector, numbered as they come.
std::vector<std::uint32_t> public_groups(const Table& table) {
  std::map<std::vector<ValueId>, std::uint32_t> numbers;
  std::vector<std::uint32_t> group_of;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    std::vector<ValueId> values;
    for (std::uint32_t i = 0; i < table.schema().public_count(); ++i) {
      values.push_back(table.column(AttributeId{i}).value(RowId{row}));
    }
    auto next = static_cast<std::uint32_t>(numbers.size());
    group_of.push_back(numbers.try_emplace(values, next).first->second);
  }
  return group_of;
}

// Rows in groups by their public values, as schemes form them, but some.
Profiles by_public_values(Rng& rng, const Table& table, Fraction keep, std::uint32_t levels,
                          std::uint64_t misplaced) {
  std::vector<std::uint32_t> group_of = public_groups(table);
  std::uint32_t groups = *std::max_element(group_of.begin(), group_of.end()) + 1;
  for (std::uint64_t i = 0; i < misplaced; ++i) {
    group_of[rng.below(table.rows())] = static_cast<std::uint32_t>(rng.below(groups));
  }
  auto made = std::get<GroupedProfiles>(random_grouped(rng, table, groups, keep, levels).kinds());
  // Rows of groups that count in full would have to do without signals.
  GroupShares shares(groups, made.shares.domain_sizes());
  for (std::uint32_t g = 0; g < groups; ++g) {
    shares.set_size(g, made.shares.size(g));
    for (std::uint32_t j = 0; j < shares.domain_sizes().size(); ++j) {
      for (std::uint16_t v = 0; v < shares.domain_sizes()[j]; ++v) {
        shares.set_count(g, PrivateId{j}, ValueId{v},
                         made.shares.count(g, PrivateId{j}, ValueId{v}));
      }
    }
  }
  made.group_of = std::move(group_of);
  made.shares = std::move(shares);
  return made;
}

const GroupReach* make_reach(const Index& index) {
  Query query = empty_query(index.state().schema);
  for (auto& wanted : query.wanted) wanted.push_back(ValueId{0});
  for (std::uint32_t i = 0; i < enough_queries; ++i) index.rank(query, {.k = 1});
  return index.state().slots[0].segment->run_reach();
}

// Many rows in each group.
Table coarse_table(Rng& rng, std::uint32_t rows) { return random_table(rng, {rows, 4, 2, 3, 0}); }

TEST(GroupReach, NoRowHasALargerSum) {
  std::uint32_t bounded = 0;
  for (std::uint64_t seed = 0; seed < some_of(12U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = coarse_table(rng, 9000);
    Index index =
        Index::build(public_part(table), by_public_values(rng, table, {1, 3}, 3, seed % 2 * 20),
                     {"test", 0, 10, {}});
    const GroupReach* reach = make_reach(index);
    if (reach == nullptr) continue;
    ++bounded;
    const Index::State& state = index.state();
    for (int i = 0; i < 10; ++i) {
      Query query = random_query(rng, table.schema());
      QueryPlan plan(state, query, state.weights);
      SegmentPlan segment(state.slots[0], plan);
      Summing sums = choose_sums(segment.feeds());
      if (!sums.program) continue;
      std::vector<std::uint8_t> most = reach_sums(segment, *reach, sums);
      ASSERT_FALSE(most.empty());
      std::uint32_t lines = lines_of(table.rows());
      std::vector<std::uint8_t> own(std::size_t{lines} * kernels::rows_per_line);
      kernels::kernel_in_use().sums(sums.program->view(), 0, lines, own.data());
      for (std::uint32_t p = 0; p < table.rows(); ++p) {
        std::uint32_t run = segment.segment().run_at(p);
        ASSERT_LE(own[p], most[run]) << "position " << p;
      }
    }
  }
  EXPECT_GT(bounded * 2, some_of(12U));
}

TEST(GroupReach, AnswersStayTheSame) {
  const Fraction keeps[] = {{1, 3}, {1, 2}, {0, 1}, {1, 1}};
  std::uint32_t bounded = 0;
  for (std::uint64_t seed = 0; seed < some_of(16U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = coarse_table(rng, 4000 + static_cast<std::uint32_t>(rng.below(6000)));
    Profiles profiles =
        by_public_values(rng, table, keeps[seed % 4], seed % 3 == 2 ? 3 : 1, seed % 2 * 20);
    Served served(table, profiles, seed % 3 == 1);
    bounded += make_reach(served.index) != nullptr ? 1 : 0;
    expect_plain_answers(served, rng);
  }
  EXPECT_GT(bounded * 2, some_of(16U));
}

TEST(GroupReach, ScansUseIt) {
  Rng rng(1);
  Table table = coarse_table(rng, 9000);
  Index index = Index::build(public_part(table), by_public_values(rng, table, {1, 3}, 1, 0),
                             {"test", 0, 10, {}});
  const Index::State& state = index.state();
  Query query = empty_query(state.schema);
  for (auto& wanted : query.wanted) wanted.push_back(ValueId{1});
  QueryPlan plan(state, query, state.weights);
  SegmentPlan segment(state.slots[0], plan);
  EXPECT_FALSE(ScanPlan(segment, 5, no_floor, true).passes_over_groups());
  const GroupReach* reach = make_reach(index);
  ASSERT_NE(reach, nullptr);
  EXPECT_TRUE(ScanPlan(segment, 5, no_floor, true).passes_over_groups());
  // Most groups are out of reach of what the best one has.
  std::vector<std::uint8_t> most = reach_sums(segment, *reach, choose_sums(segment.feeds()));
  most.resize(reach->places);
  std::uint8_t best = *std::max_element(most.begin(), most.end());
  auto near = std::count_if(most.begin(), most.end(), [&](auto sum) { return sum * 4 > best * 3; });
  EXPECT_LT(static_cast<std::size_t>(near) * 2, most.size());
}

TEST(GroupReach, IsNotKeptWhereGroupsHaveAllValues) {
  Rng rng(4);
  Table table = coarse_table(rng, 9000);
  Index index =
      Index::build(public_part(table), random_grouped(rng, table, 30, {1, 3}), {"test", 0, 10, {}});
  EXPECT_EQ(make_reach(index), nullptr);
}

}  // namespace
}  // namespace rankveil
