#include "rankveil/audit/answer_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankveil/audit/ldp_answers.h"
#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/chance/draw_name.h"
#include "rankveil/protect/chance/ldp.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil::audit {
namespace {

using rankveil::testing_support::coded_table;
using rankveil::testing_support::OwnTask;

// Four groups, in each of which another half of the eight values is rare.
OwnTask with_different_groups(std::uint64_t seed, double epsilon,
                              std::uint32_t bitmaps = most_bitmaps) {
  Rng rng(seed);
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 12'000; ++i) {
    int group = static_cast<int>(rng.below(4));
    int common = static_cast<int>((2 * static_cast<std::uint64_t>(group) + rng.below(4)) % 8);
    rows.push_back({group, rng.below(40) == 0 ? static_cast<int>(rng.below(8)) : common});
  }
  OwnTask own{coded_table(rows, 1, {4, 8})};
  own.demand = {.scheme = "ldp", .epsilon = epsilon, .bitmaps = bitmaps};
  own.key = SecretKey::from_seed(seed);
  return own;
}

// As counted, when `claimed` is the budget that is declared.
RatioCount counted(OwnTask own, double claimed) {
  auto made = protect(own.task());
  EXPECT_TRUE(made);
  own.demand.epsilon = claimed;
  Observed observed{own.table, made->profiles, Mechanism{own.demand}};
  auto known = Knowledge::make(observed, 1);
  EXPECT_TRUE(known);
  return count_answers(**known).front();
}

TEST(AnswerCounts, StayWithinTheBudgetWhereGroupsDiffer) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RatioCount ratio = counted(with_different_groups(seed, 1), 1);
    EXPECT_LE(ratio.surely(), 1) << "seed " << seed;
    EXPECT_NEAR(ratio.log_ratio, 1, 0.35) << "seed " << seed;
  }
}

TEST(AnswerCounts, ShowABudgetThatIsLargerThanDeclared) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_GT(counted(with_different_groups(seed, 2), 1).surely(), 1) << "seed " << seed;
  }
}

// Of three rows with a value all say it once in twenty-seven times.
TEST(AnswerCounts, OfFewRowsProveNothing) {
  for (std::uint64_t seed = 1; seed <= some_of(200U); ++seed) {
    Rng rng(seed);
    std::vector<std::vector<int>> rows;
    for (int i = 0; i < 200; ++i)
      rows.push_back({0, i < 3 ? 0 : 1 + static_cast<int>(rng.below(4))});
    OwnTask own{coded_table(rows, 1, {1, 5})};
    own.demand = {.scheme = "ldp", .epsilon = 1, .bitmaps = most_bitmaps};
    own.key = SecretKey::from_seed(seed);
    EXPECT_LE(counted(own, 1).surely(), 1) << "seed " << seed;
  }
}

TEST(AnswerCounts, GoByTheBudgetOfTheAttribute) {
  OwnTask own = with_different_groups(1, 0.3);
  own.demand.budgets = {{own.table.schema().attributes[1].name, 2}};
  RatioCount ratio = counted(own, 0.3);
  EXPECT_LE(ratio.surely(), 2);
  EXPECT_GT(ratio.surely(), 1);
}

// Fewer answers can be told apart then, so that less may show, and never more.
TEST(AnswerCounts, DoTheSameWithFewBitmaps) {
  for (std::uint64_t seed = 1; seed <= some_of(20U); ++seed) {
    EXPECT_LE(counted(with_different_groups(seed, 1, 2), 1).surely(), 1) << "seed " << seed;
    EXPECT_GT(counted(with_different_groups(seed, 2, 2), 1).surely(), 1) << "seed " << seed;
  }
}

// Rows whose answer is not among those that their profile is read as.
int misread_rows(const OwnTask& own) {
  Task task = own.task();
  auto made = protect(task);
  Observed observed{own.table, made->profiles, Mechanism{own.demand}};
  auto known = Knowledge::make(observed, 1);
  const auto& kinds = (*known)->release(0).kinds[0];
  LdpChannel channel(own.demand.epsilon, 8);
  LdpAnswers answers(task, (*known)->groups(), (*known)->dictionary(0), kinds, 0, channel);
  KeyedStream stream = ldp_stream(own.key, task.attribute(PrivateId{0}).name, channel);
  int misread = 0;
  for (std::uint32_t row = 0; row < own.table.rows(); ++row) {
    ValueId value = task.private_column(PrivateId{0}).value(RowId{row});
    std::string name = own.table.names().text(RowId{row});
    ValueId said =
        channel.say(stream, draw_name(name, task.attribute(PrivateId{0}).domain, value), value);
    auto read = answers.answers((*known)->groups().group_of[row], kinds[row]);
    misread += std::find(read.begin(), read.end(), +said) == read.end() ? 1 : 0;
  }
  return misread;
}

// What rounds to nothing cannot be read; all else is, but for a few.
TEST(LdpAnswers, AreReadOffProfilesHoweverFewTheirBitmaps) {
  constexpr int seeds = some_of(10);
  for (std::uint32_t bitmaps : {2U, 3U, most_bitmaps}) {
    int misread = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      misread += misread_rows(with_different_groups(seed, 1, bitmaps));
    }
    EXPECT_LT(misread, seeds * 12'000 / 8) << bitmaps;
  }
}

// With c = 0.5 of n0 rows the variance is 1/a + 1/c - 1/n1 - 1/n0, and here a = n1.
TEST(AnswerCounts, HaveTheErrorOfWhatTheyCount) {
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 2'000; ++i) rows.push_back({0, i % 2});
  OwnTask own{coded_table(rows, 1, {1, 2})};
  own.demand = {.scheme = "ldp", .epsilon = 30, .any_epsilon = true};
  RatioCount ratio = counted(own, 30);
  EXPECT_NEAR(ratio.log_ratio, std::log(2 * 1'000), 1e-9);
  EXPECT_NEAR(ratio.error * ratio.error, 2 - 1.0 / 1'000, 1e-9);
}

}  // namespace
}  // namespace rankveil::audit
