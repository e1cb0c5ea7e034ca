#include "rankveil/ranking/weights.h"

#include <gtest/gtest.h>

#include <limits>

namespace rankveil {
namespace {

Result<Weights> of(std::vector<double> weights) { return Weights::of(weights); }

TEST(Weights, WholeNumbersStayWhole) {
  auto weights = of({1, 7, 1'000'000});
  ASSERT_TRUE(weights);
  EXPECT_EQ(weights->per_one, 1);
  EXPECT_EQ(weights->units, (std::vector<std::int64_t>{1, 7, 1'000'000}));
}

TEST(Weights, DecimalsAreKeptExactly) {
  auto weights = of({0.1, 0.25, 3});
  ASSERT_TRUE(weights);
  EXPECT_EQ(weights->per_one, 100);
  EXPECT_EQ(weights->units, (std::vector<std::int64_t>{10, 25, 300}));
}

TEST(Weights, TheSixthDecimalOfALargeWeightCounts) {
  auto weights = of({5000.000004, 5000});
  ASSERT_TRUE(weights);
  EXPECT_GT(weights->units[0], weights->units[1]);
  EXPECT_EQ(of({1234.000001})->units[0], 1'234'000'001);
}

TEST(Weights, RefusesWhatRoundingWouldChange) {
  EXPECT_FALSE(of({0.00000149}));
  EXPECT_EQ(of({1.0 / 3, 2.0 / 3})->units, (std::vector<std::int64_t>{333'333, 666'667}));
}

TEST(Weights, RefusesWhatIsNoWeight) {
  EXPECT_FALSE(of({0}));
  EXPECT_FALSE(of({-1}));
  EXPECT_FALSE(of({1e7}));
  EXPECT_FALSE(of({1e-9}));
  EXPECT_FALSE(of({std::numeric_limits<double>::quiet_NaN()}));
}

TEST(Weights, RefusesTogetherWhatCouldOverflow) {
  auto weights = of({1e6, 1e-6});
  ASSERT_FALSE(weights);
  EXPECT_NE(weights.error().message.find("span too much"), std::string::npos);
}

}  // namespace
}  // namespace rankveil
