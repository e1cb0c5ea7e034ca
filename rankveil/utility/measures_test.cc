#include "rankveil/utility/measures.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rankveil/base/random.h"
#include "rankveil/base/testing/sanitized.h"

namespace rankveil::utility {
namespace {

std::vector<RowId> rows(std::initializer_list<std::uint32_t> numbers) {
  std::vector<RowId> list;
  for (std::uint32_t number : numbers) list.push_back(RowId{number});
  return list;
}

using Scores64 = std::vector<std::int64_t>;

TEST(Aul, CountsRowsOfEitherTopK) {
  // k = 2: rows (1,2), (2,4), (3,1) count; (4,3) does not. |1-2| + |2-3| + |3-1| = 4; 4 / 3 / 2.
  std::vector<RankPair> ranks = {{1, 2}, {2, 4}, {3, 1}, {4, 3}};
  EXPECT_DOUBLE_EQ(aul(ranks, 2), 4.0 / 6);
}

TEST(Aul, IsNothingForTheSameTopK) {
  std::vector<RankPair> ranks = {{1, 1}, {2, 2}, {3, 4}, {4, 3}};
  EXPECT_EQ(aul(ranks, 2), 0);
  EXPECT_EQ(aul({}, 5), 0);
}

TEST(Aul, KeepsItsKBeyondTheRows) {
  std::vector<RankPair> ranks = {{1, 2}, {2, 1}};
  EXPECT_DOUBLE_EQ(aul(ranks, 10), 0.1);
  EXPECT_DOUBLE_EQ(aul(ranks, UINT32_MAX), 1.0 / UINT32_MAX);
}

TEST(Aul, IsOneWhenAHeadIsSwappedForRowsFarBelow) {
  std::vector<RankPair> ranks = {{1, 9}, {9, 1}};
  EXPECT_EQ(aul(ranks, 1), 1);
}

TEST(Overlap, IsTheShareInBothLists) {
  EXPECT_DOUBLE_EQ(overlap(rows({5, 1, 7}), rows({7, 2, 5})), 2.0 / 3);
  EXPECT_EQ(overlap(rows({1, 2}), rows({3, 4})), 0);
  EXPECT_EQ(overlap({}, {}), 1);
}

TEST(Fair, DoesNotPunishSwapsAmongEqualScores) {
  EXPECT_DOUBLE_EQ(fair(Scores64{3, 1, 2, 2}, 2), 0.75);
  EXPECT_EQ(fair({}, 0), 1);
}

TEST(Ndcg, DiscountsByTheLogarithmOfThePlace) {
  // Served 1, 3, 2 against 3, 2, 1.
  double served = 1 + 3 / std::log2(3) + 1;
  double best = 3 + 2 / std::log2(3) + 0.5;
  EXPECT_DOUBLE_EQ(ndcg(Scores64{3, 2, 1}, Scores64{1, 3, 2}), served / best);
}

TEST(Ndcg, IsOneWhereThereIsNothingToGain) {
  EXPECT_EQ(ndcg(Scores64{0, 0}, Scores64{0, 0}), 1);
  EXPECT_EQ(ndcg({}, {}), 1);
}

TEST(TauB, IsOneForTheSameOrderAndMinusOneForTheReverse) {
  EXPECT_DOUBLE_EQ(tau_b({{1, 10}, {3, 30}, {2, 20}}), 1);
  EXPECT_DOUBLE_EQ(tau_b({{1, 30}, {3, 10}, {2, 20}}), -1);
}

TEST(TauB, TakesTiesOutOfTheDenominator) {
  // Pairs of x = 1 1 2 3, y = 1 2 2 3: concordant 4 of (1,3) (1,4) (2,4) (3,4), none discordant;
  // one tie in each.
  EXPECT_DOUBLE_EQ(tau_b({{1, 1}, {1, 2}, {2, 2}, {3, 3}}), 4.0 / 5);
}

TEST(TauB, IsDefinedWhereASideTiesAllRows) {
  EXPECT_EQ(tau_b({}), 1);
  EXPECT_EQ(tau_b({{4, 7}}), 1);
  EXPECT_EQ(tau_b({{4, 7}, {4, 7}, {4, 7}}), 1);
  EXPECT_EQ(tau_b({{4, 7}, {4, 8}}), 0);
  EXPECT_EQ(tau_b({{5, 7}, {4, 7}}), 0);
}

double tau_b_by_pairs(const std::vector<ScorePair>& scores) {
  double balance = 0;
  double apart_truth = 0;
  double apart_served = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      auto sign = [](std::int64_t a, std::int64_t b) { return a < b ? -1 : a > b ? 1 : 0; };
      int truth = sign(scores[i].truth, scores[j].truth);
      int served = sign(scores[i].served, scores[j].served);
      balance += truth * served;
      apart_truth += truth != 0 ? 1 : 0;
      apart_served += served != 0 ? 1 : 0;
    }
  }
  if (apart_truth == 0 && apart_served == 0) return 1;
  if (apart_truth == 0 || apart_served == 0) return 0;
  return balance / std::sqrt(apart_truth * apart_served);
}

TEST(TauB, AgreesWithLookingAtEveryPair) {
  for (std::uint64_t seed = 0; seed < some_of(3000U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    std::vector<ScorePair> scores(rng.below(30));
    std::uint64_t distinct = 1 + rng.below(8);
    for (ScorePair& pair : scores) {
      pair = {static_cast<std::int64_t>(rng.below(distinct)),
              static_cast<std::int64_t>(rng.below(distinct))};
    }
    EXPECT_NEAR(tau_b(scores), tau_b_by_pairs(scores), 1e-12);
  }
}

}  // namespace
}  // namespace rankveil::utility
