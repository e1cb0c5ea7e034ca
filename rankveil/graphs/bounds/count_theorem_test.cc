#include "rankveil/graphs/bounds/count_theorem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace rankveil::bound {
namespace {

double epsilon_of(const Count& count, double delta, Mode mode) {
  auto guarantee = count_epsilon(count, delta, mode);
  EXPECT_TRUE(guarantee) << guarantee.error().message;
  return guarantee ? guarantee->epsilon : -1;
}

double delta_of(const Count& count, double epsilon, Mode mode) {
  auto guarantee = count_delta(count, epsilon, mode);
  EXPECT_TRUE(guarantee) << guarantee.error().message;
  return guarantee ? guarantee->delta : -1;
}

TEST(CountTheorem, HasThePublishedValues) {
  EXPECT_NEAR(epsilon_of({1000, 0.3, 10}, 0.01, Mode::Paper), 0.241933860842, 1e-11);
  EXPECT_NEAR(epsilon_of({1000, 0.3, 10}, 0.01, Mode::Sound), 0.0492725466, 1e-9);
  EXPECT_NEAR(epsilon_of({1000, 0.05, 10}, 0.01, Mode::Paper), 1.59513252027, 1e-10);
  EXPECT_NEAR(epsilon_of({1000, 0.05, 10}, 0.01, Mode::Sound), 0.1790021971, 1e-9);
  EXPECT_NEAR(delta_of({1000, 0.3, 10}, 0.2, Mode::Paper), 0.04078874002, 1e-10);
  EXPECT_NEAR(delta_of({1000, 0.3, 10}, 0.2, Mode::Sound), 5.61031154e-05, 1e-12);
}

TEST(CountTheorem, ThePrintedBoundFailsWhereTheSmallestCountIsLikely) {
  Count count{100, 0.3, 25};
  EXPECT_NEAR(delta_of(count, 1, Mode::Paper), 1.840626549e-05, 1e-14);
  EXPECT_NEAR(delta_of(count, 1, Mode::Sound), 0.05590958442, 1e-10);
  EXPECT_NEAR(epsilon_of(count, 0.05, Mode::Paper), 0.295512344, 1e-9);
  auto refused = count_epsilon(count, 0.05, Mode::Sound);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("a count of 25 alone has probability 0.0559096"),
            std::string::npos)
      << refused.error().message;
}

// Over all sets of outputs, not only intervals: by the law itself.
double plain_delta(const Count& count, double epsilon) {
  std::vector<double> law(count.n + 3, 0);  // [1 + successes]
  double sum = 0;
  for (std::uint64_t a = count.k; a <= count.n; ++a) {
    double ways = 1;
    for (std::uint64_t i = 0; i < a; ++i) {
      ways *= static_cast<double>(count.n - i) / static_cast<double>(a - i);
    }
    law[a + 1] = ways * std::pow(count.p, static_cast<double>(a)) *
                 std::pow(1 - count.p, static_cast<double>(count.n - a));
    sum += law[a + 1];
  }
  double worst = 0;
  for (int shift : {-1, 1}) {
    double excess = 0;
    for (std::uint64_t i = 1; i < law.size() - 1; ++i) {
      double other = law[static_cast<std::size_t>(static_cast<int>(i) + shift)];
      excess += std::max(0.0, (law[i] - std::exp(epsilon) * other) / sum);
    }
    worst = std::max(worst, excess);
  }
  return worst;
}

TEST(CountTheorem, SoundIsTheExactValue) {
  for (std::uint64_t n : {2, 5, 17, 40}) {
    for (double p : {0.05, 0.3, 0.5, 0.9}) {
      for (std::uint64_t k = 1; k <= n; k += 3) {
        for (double epsilon : {0.0, 0.1, 1.0, 3.0}) {
          EXPECT_NEAR(delta_of({n, p, k}, epsilon, Mode::Sound), plain_delta({n, p, k}, epsilon),
                      1e-12)
              << n << " " << p << " " << k << " " << epsilon;
        }
      }
    }
  }
}

TEST(CountTheorem, EpsilonAndDeltaUndoEachOther) {
  Count count{500, 0.2, 20};
  double epsilon = epsilon_of(count, 0.003, Mode::Sound);
  EXPECT_NEAR(delta_of(count, epsilon, Mode::Sound), 0.003, 1e-9);
}

TEST(CountTheorem, RefusesWhatMakesNoSense) {
  EXPECT_FALSE(count_epsilon({10, 0, 2}, 0.1, Mode::Sound));
  EXPECT_FALSE(count_epsilon({10, 1, 2}, 0.1, Mode::Sound));
  EXPECT_FALSE(count_epsilon({10, 0.5, 11}, 0.1, Mode::Sound));
  EXPECT_FALSE(count_epsilon({10, 0.5, 0}, 0.1, Mode::Sound));
  EXPECT_FALSE(count_epsilon({10, 0.5, 2}, 1.5, Mode::Sound));
  EXPECT_FALSE(count_delta({10, 0.5, 2}, -1, Mode::Sound));
  EXPECT_FALSE(count_delta({1000, 0.3, 10}, 1e-6, Mode::Paper));
}

}  // namespace
}  // namespace rankveil::bound
