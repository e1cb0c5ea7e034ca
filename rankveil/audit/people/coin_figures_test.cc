#include "rankveil/audit/people/coin_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/audit/people/calibration.h"
#include "rankveil/base/random.h"

namespace rankveil::audit {
namespace {

using testing::HasSubstr;

constexpr double coin_third = 1.0 / 3;

// Pairs of rows of their own that know their coin, kept as often as they are believed.
std::vector<CoinBelief> pairs_believed(double belief, std::uint32_t pairs, Rng& rng) {
  std::vector<CoinBelief> made;
  for (std::uint32_t i = 0; i < pairs; ++i) {
    made.push_back({i, belief, rng.uniform() < belief, 0});
  }
  return made;
}

TEST(CoinFigures, OfBeliefsThatDidNotMoveAreNothing) {
  Rng rng(1);
  CoinFigures figures = coin_figures(pairs_believed(coin_third, 5000, rng), coin_third);
  EXPECT_NEAR(figures.bits, 0, 1e-12);
  EXPECT_NEAR(figures.tenths[3].kept, coin_third, 0.03);
  EXPECT_EQ(judge_coins(figures), CoinVerdict::Hidden);
}

TEST(CoinFigures, OfCertaintyAreAllThereIsToKnow) {
  Rng rng(2);
  std::vector<CoinBelief> pairs = pairs_believed(1, 1000, rng);
  for (CoinBelief& one : pairs_believed(0, 2000, rng)) pairs.push_back(one);
  CoinFigures figures = coin_figures(pairs, coin_third);
  EXPECT_NEAR(figures.bits, 0.918296, 1e-6);
  EXPECT_EQ(figures.above[2].pairs, 1000U);
  EXPECT_EQ(figures.above[2].kept, 1);
  EXPECT_EQ(judge_coins(figures), CoinVerdict::Shown);
}

TEST(CoinFigures, CorrectForRowsThatShowTheirOwnValueByChance) {
  Rng rng(3);
  std::vector<CoinBelief> pairs;
  for (std::uint32_t i = 0; i < 20000; ++i) {
    bool kept = rng.uniform() < coin_third;
    pairs.push_back({i, coin_third, kept || rng.uniform() < 0.6, 0.6});
  }
  EXPECT_NEAR(coin_figures(pairs, coin_third).tenths[3].kept, coin_third, 0.02);
}

TEST(CoinFigures, AFewStrongPairsAreTooMany) {
  Rng rng(4);
  std::vector<CoinBelief> pairs = pairs_believed(coin_third, 5000, rng);
  for (std::uint32_t i = 0; i < 30; ++i) pairs[i * 100] = {i * 100, 0.75, i % 5 != 0, 0};
  CoinFigures figures = coin_figures(pairs, coin_third);
  EXPECT_LT(figures.bits_high, most_bits);
  EXPECT_EQ(figures.strong.pairs, 30U);
  EXPECT_EQ(judge_coins(figures), CoinVerdict::Shown);
}

TEST(CoinFigures, StrongBeliefsThatAreWrongProveNothing) {
  Rng rng(14);
  std::vector<CoinBelief> pairs = pairs_believed(coin_third, 5000, rng);
  for (std::uint32_t i = 0; i < 500; ++i) pairs[i * 10].belief = 0.75;
  CoinFigures figures = coin_figures(pairs, coin_third);
  EXPECT_GT(figures.bits_high, most_bits);
  EXPECT_EQ(figures.bits_low, 0) << "they foretell nothing";
  EXPECT_EQ(judge_coins(figures), CoinVerdict::Unclear);
}

TEST(CoinFigures, OfFewPairsDecideNothing) {
  Rng rng(5);
  std::vector<CoinBelief> pairs = pairs_believed(coin_third, 250, rng);
  pairs[0].belief = 0.75;
  EXPECT_EQ(judge_coins(coin_figures(pairs, coin_third)), CoinVerdict::Unclear);
}

TEST(CoinFigures, HoldRowsForWhatVaries) {
  Rng rng(6);
  std::vector<CoinBelief> pairs = pairs_believed(coin_third, 1000, rng);
  for (std::uint32_t i = 0; i < 1000; ++i) pairs[i].belief = i % 4 == 0 ? 0.6 : coin_third;
  CoinFigures apart = coin_figures(pairs, coin_third);
  for (CoinBelief& one : pairs) one.row /= 5;
  for (std::uint32_t i = 0; i < 1000; ++i) pairs[i].belief = i < 250 ? 0.6 : coin_third;
  CoinFigures together = coin_figures(pairs, coin_third);
  EXPECT_NEAR(apart.bits, together.bits, 1e-12);
  EXPECT_GT(together.bits_high - together.bits, 1.8 * (apart.bits_high - apart.bits));
  EXPECT_EQ(together.rows, 200U);
}

TEST(CoinFigures, ReachTheSameLikelihoodRatioAtEveryL) {
  EXPECT_NEAR(strong_belief(1.0 / 3), 0.7, 1e-12);
  EXPECT_NEAR(strong_belief(0.5), 14.0 / 17, 1e-12);
}

TEST(CoinFigures, AreReadBackFromJson) {
  Rng rng(7);
  CoinFigures figures = coin_figures(pairs_believed(0.6, 300, rng), coin_third);
  auto read = coin_figures_from_json(to_json(figures));
  ASSERT_TRUE(read);
  EXPECT_EQ(to_json(*read).dump(), to_json(figures).dump());
  EXPECT_FALSE(coin_figures_from_json(Json().set("pairs", 3)));
  EXPECT_THAT(coins_text(figures), HasSubstr("bits a coin"));
}

struct Lesson {
  std::vector<CoinSigns> signs;
  std::vector<CoinBelief> coins;
};

// Coins with a sign that is worth `worth` times what it says, and one that is worth nothing.
Lesson lesson(double worth, std::uint32_t pairs, double if_moved, std::uint64_t seed) {
  Lesson made;
  Rng rng(seed);
  for (std::uint32_t i = 0; i < pairs; ++i) {
    double sign = 4 * rng.uniform() - 2;
    double odds = coin_third / (1 - coin_third) * std::exp(worth * sign);
    bool kept = rng.uniform() < odds / (1 + odds);
    made.signs.push_back({sign, rng.uniform()});
    made.coins.push_back({i, 0, kept || rng.uniform() < if_moved, if_moved});
  }
  return made;
}

TEST(Calibration, FindsWhatASignIsWorth) {
  for (double worth : {0.0, 0.5, 1.0, 2.0}) {
    for (double if_moved : {0.0, 0.5}) {
      Lesson made = lesson(worth, 8000, if_moved, 8);
      calibrate(made.signs, coin_third, 1, made.coins);
      for (std::size_t i = 0; i < 50; ++i) {
        double odds = coin_third / (1 - coin_third) * std::exp(worth * made.signs[i][0]);
        EXPECT_NEAR(made.coins[i].belief, odds / (1 + odds), 0.09) << worth << ", " << if_moved;
      }
    }
  }
}

TEST(Calibration, OfNoiseMovesHardlyAnything) {
  Lesson made = lesson(0, 3000, 0.3, 9);
  calibrate(made.signs, coin_third, 1, made.coins);
  EXPECT_LT(coin_figures(made.coins, coin_third).bits, 0.01);
}

}  // namespace
}  // namespace rankveil::audit
