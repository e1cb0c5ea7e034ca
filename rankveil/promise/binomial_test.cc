#include "rankveil/promise/binomial.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rankveil {
namespace {

// Term by term.
double plain_tail(std::uint64_t trials, double rate, std::uint64_t count) {
  double term = std::pow(1 - rate, static_cast<double>(trials));
  double below = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    below += term;
    term *= static_cast<double>(trials - i) / static_cast<double>(i + 1) * rate / (1 - rate);
  }
  return 1 - below;
}

TEST(Binomial, TailIsTheSumOfItsTerms) {
  for (std::uint64_t trials : {1U, 2U, 7U, 60U}) {
    for (double rate : {0.01, 0.2, 0.5, 0.77, 0.99}) {
      for (std::uint64_t count = 0; count <= trials; ++count) {
        EXPECT_NEAR(binomial_tail(trials, rate, count), plain_tail(trials, rate, count), 1e-10)
            << trials << " " << rate << " " << count;
      }
    }
  }
}

TEST(Binomial, TailHasItsEnds) {
  EXPECT_EQ(binomial_tail(10, 0.3, 0), 1);
  EXPECT_EQ(binomial_tail(10, 0.3, 11), 0);
  EXPECT_EQ(binomial_tail(10, 0, 1), 0);
  EXPECT_EQ(binomial_tail(10, 1, 10), 1);
}

TEST(Binomial, TailOfManyTrialsIsNearTheNormalOne) {
  // 10^6 trials at 1/2: 500,500 is one standard deviation up.
  EXPECT_NEAR(binomial_tail(1'000'000, 0.5, 500'500), 0.15886, 1e-4);
}

TEST(Binomial, CriticalCountIsTheFirstRareOne) {
  for (std::uint64_t trials : {5U, 40U, 1000U}) {
    for (double rate : {0.05, 0.5, 0.9}) {
      std::uint64_t count = critical_count(trials, rate, 0.05);
      EXPECT_LE(binomial_tail(trials, rate, count), 0.05);
      EXPECT_GT(binomial_tail(trials, rate, count - 1), 0.05);
    }
  }
  EXPECT_EQ(critical_count(3, 0.9, 0.05), 4U) << "three of three happens too often at 0.9";
}

TEST(Binomial, RateThatReachesIsTheRuleOfThreeForOneSuccess) {
  auto rate = rate_that_reaches(1000, 1, 0.95);
  ASSERT_TRUE(rate);
  EXPECT_NEAR(*rate, 1 - std::pow(0.05, 1.0 / 1000), 1e-12);
  EXPECT_FALSE(rate_that_reaches(10, 11, 0.95));
}

}  // namespace
}  // namespace rankveil
