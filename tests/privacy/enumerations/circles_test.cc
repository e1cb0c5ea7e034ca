// T5: circles among rows that are alike in all public columns (`swap-exact`).
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/privacy/enumerations/one_block.h"

namespace rankveil::enumerations {
namespace {

Arrangement all_different(std::size_t rows) {
  Arrangement values(rows);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

OneBlock circles(const Arrangement& values, double p) {
  auto all = arrangements(values);
  Law even(all.size(), 1.0 / static_cast<double>(all.size()));
  auto kernels =
      for_all_coins(values.size(), [&](Coins coins) { return random_cycle(all, coins); });
  return OneBlock(all, even, p, kernels);
}

// How likely a row has the value it shows: p, or p_own of T5 where nobody else moves.
double own(double p, std::size_t rows) {
  return p + std::pow(p, static_cast<double>(rows) - 1) * (1 - p);
}

TEST(Circles, ARowHasWhatItShowsAsTheTheoremSays) {
  for (std::size_t rows = 2; rows <= 5; ++rows) {
    for (double p : {1.0 / 2, 1.0 / 3, 1.0 / 4}) {
      OneBlock seen = circles(all_different(rows), p);
      double other = (1 - own(p, rows)) / (static_cast<double>(rows) - 1);
      for (int value = 0; value < static_cast<int>(rows); ++value) {
        EXPECT_NEAR(seen.belief(0, value, 0), value == 0 ? own(p, rows) : other, 1e-12);
      }
    }
  }
}

TEST(Circles, EqualValuesOnlyBlurThePicture) {
  for (const Arrangement& values :
       {Arrangement{0, 0, 1, 2}, Arrangement{0, 0, 1, 1}, Arrangement{0, 0, 0, 1}}) {
    OneBlock seen = circles(values, 1.0 / 3);
    double most = own(1.0 / 3, values.size());
    for (std::size_t z = 0; z < seen.size(); ++z) {
      for (int value : values) {
        double before = seen.before(0, value);
        EXPECT_LE(seen.belief(0, value, z), before + most * (1 - before) + 1e-12);
      }
    }
  }
}

TEST(Circles, TellNothingOfWhoseCoinKept) {
  for (std::size_t rows = 2; rows <= 5; ++rows) {
    EXPECT_LT(circles(all_different(rows), 1.0 / 3).coins_show(), 1e-12);
  }
}

// `swap` deals values out anew inside classes of rows that are alike, where T5 passes them along a
// circle: a row may get its own back. The gain over its share is p n / (n - 1), over R it is p.
TEST(Circles, DealingOutInsteadOfPassingAlongGivesASmallFurtherGain) {
  for (std::size_t rows = 2; rows <= 5; ++rows) {
    auto n = static_cast<double>(rows);
    auto all = arrangements(all_different(rows));
    Law even(all.size(), 1.0 / static_cast<double>(all.size()));
    auto kernels = for_all_coins(rows, [&](Coins coins) { return even_start(all, coins); });
    OneBlock seen(all, even, 1.0 / 3, kernels);
    EXPECT_LT(seen.coins_show(), 1e-12);
    double gain = (seen.belief(0, 0, 0) - 1 / n) / (1 - 1 / n);
    double nobody_moves = std::pow(1.0 / 3, n);
    EXPECT_NEAR(gain, (n / 3 - nobody_moves) / (n - 1), 1e-12);
    double told = seen.if_moved(0, 0, 0);
    EXPECT_NEAR((seen.belief(0, 0, 0) - told) / (1 - told), 1.0 / 3, 1e-12);
  }
}

// What T5 does not cover, and broke coarse rungs: rows that differ in public values.
TEST(Circles, ShowCoinsToWhoTellsTheRowsApart) {
  Rng rng(7);
  auto all = arrangements(all_different(4));
  Law prior = law_of_people(all, random_model(rng, 4, 4));
  auto kernels = for_all_coins(4, [&](Coins coins) { return random_cycle(all, coins); });
  EXPECT_GT(OneBlock(all, prior, 1.0 / 3, kernels).coins_show(), 0.05);
}

}  // namespace
}  // namespace rankveil::enumerations
