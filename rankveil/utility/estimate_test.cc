#include "rankveil/utility/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rankveil/base/random.h"

namespace rankveil::utility {
namespace {

using Values = std::vector<double>;
using Counts = std::vector<std::uint64_t>;

TEST(Estimate, IsMeanAndStudentsMarginForEqualCounts) {
  // Mean 2, s^2 = 1, s / sqrt(3) = 0.57735, t(2) = 4.302653.
  auto found = estimate(Values{1, 2, 3}, Counts{1, 1, 1});
  EXPECT_DOUBLE_EQ(found.mean, 2);
  ASSERT_TRUE(found.margin);
  EXPECT_NEAR(*found.margin, 4.302653 / std::sqrt(3.0), 1e-9);
}

TEST(Estimate, TakesARepeatedQueryForOneOfTheSample) {
  auto once = estimate(Values{1, 2, 3}, Counts{1, 1, 1});
  auto often = estimate(Values{1, 2, 3}, Counts{100, 100, 100});
  EXPECT_DOUBLE_EQ(*once.margin, *often.margin);
}

TEST(Estimate, WeighsByCounts) {
  // Mean (3 * 0 + 1) / 4; se^2 = 2 * (3^2 * 0.25^2 + 0.75^2) / 4^2.
  auto found = estimate(Values{0, 1}, Counts{3, 1});
  EXPECT_DOUBLE_EQ(found.mean, 0.25);
  EXPECT_NEAR(*found.margin, 12.706205 * std::sqrt(2 * 1.125) / 4, 1e-9);
}

TEST(Estimate, HasNoMarginForOneQuery) {
  EXPECT_FALSE(estimate(Values{0.5}, Counts{9}).margin);
  EXPECT_FALSE(estimate(Values{0.5, 0.7}, Counts{9, 0}).margin);
  EXPECT_EQ(estimate(Values{0.5, 0.7}, Counts{9, 0}).mean, 0.5);
  EXPECT_EQ(estimate({}, {}).mean, 0);
}

TEST(Estimate, HoldsTheMeanInNineteenOfTwentySamples) {
  int held = 0;
  constexpr int samples = 20000;
  Rng rng(1);
  for (int i = 0; i < samples; ++i) {
    Values values;
    for (int j = 0; j < 50; ++j) values.push_back(rng.uniform());
    auto found = estimate(values, Counts(50, 1));
    held += std::abs(found.mean - 0.5) <= *found.margin ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(held) / samples, 0.95, 0.006);
}

TEST(Wilson, AgreesWithValuesWorkedOutByHand) {
  // z^2 = 3.841459: 8 of 10 is (0.8 + 0.192073 -+ 1.959964 sqrt(0.016 + 0.009604)) / 1.384146.
  EXPECT_NEAR(wilson_95(8, 10).low, 0.490162, 1e-5);
  EXPECT_NEAR(wilson_95(8, 10).high, 0.943318, 1e-5);
  // 0 of n: from 0 to z^2 / (n + z^2).
  EXPECT_EQ(wilson_95(0, 100).low, 0);
  EXPECT_NEAR(wilson_95(0, 100).high, 3.841459 / 103.841459, 1e-6);
  EXPECT_NEAR(wilson_95(100, 100).low, 100 / 103.841459, 1e-6);
  EXPECT_EQ(wilson_95(100, 100).high, 1);
  EXPECT_EQ(wilson_95(0, 0).high, 1);
}

TEST(Wilson, HoldsTheShareInNineteenOfTwentySamples) {
  Rng rng(2);
  int held = 0;
  constexpr int samples = 20000;
  for (int i = 0; i < samples; ++i) {
    double right = 0;
    for (int j = 0; j < 250; ++j) right += rng.uniform() < 0.3 ? 1 : 0;
    Interval found = wilson_95(right, 250);
    held += found.low <= 0.3 && 0.3 <= found.high ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(held) / samples, 0.95, 0.012);
}

TEST(StudentT, AgreesWithPrintedTables) {
  EXPECT_NEAR(student_t_95(1), 12.7062, 1e-4);
  EXPECT_NEAR(student_t_95(10), 2.2281, 1e-4);
  EXPECT_NEAR(student_t_95(11), 2.200985, 2e-5);
  EXPECT_NEAR(student_t_95(20), 2.085963, 2e-5);
  EXPECT_NEAR(student_t_95(49), 2.009575, 2e-5);
  EXPECT_NEAR(student_t_95(100), 1.983972, 2e-5);
  EXPECT_NEAR(student_t_95(1'000'000), 1.95997, 1e-5);
}

}  // namespace
}  // namespace rankveil::utility
