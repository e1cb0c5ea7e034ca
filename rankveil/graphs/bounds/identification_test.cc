#include "rankveil/graphs/bounds/identification.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "rankveil/base/random.h"

namespace rankveil::bound {
namespace {

// law[i][o]: the probability of output o when candidate i is true.
using Channel = std::vector<std::vector<double>>;

Channel random_channel(Rng& rng, std::size_t candidates, std::size_t outputs) {
  Channel law(candidates, std::vector<double>(outputs));
  for (auto& row : law) {
    double sum = 0;
    // Some outputs never occur, so that a delta is needed.
    for (double& p : row) sum += p = rng.below(4) == 0 ? 0 : rng.uniform() + 1e-3;
    if (sum == 0) sum = row[0] = 1;
    for (double& p : row) p /= sum;
  }
  return law;
}

// The least delta: over the worst two candidates, outputs that exceed e^epsilon times the other.
double exact_delta(const Channel& law, double epsilon) {
  double worst = 0;
  for (const auto& one : law) {
    for (const auto& other : law) {
      double sum = 0;
      for (std::size_t o = 0; o < one.size(); ++o) {
        sum += std::max(0.0, one[o] - std::exp(epsilon) * other[o]);
      }
      worst = std::max(worst, sum);
    }
  }
  return worst;
}

// The best that anybody can do: name the likeliest candidate for each output.
double best_rate(const Channel& law) {
  double sum = 0;
  for (std::size_t o = 0; o < law[0].size(); ++o) {
    double most = 0;
    for (const auto& row : law) most = std::max(most, row[o]);
    sum += most;
  }
  return sum / static_cast<double>(law.size());
}

TEST(IdentificationBound, IsNeverBelowTheBestAdversary) {
  Rng rng(7);
  for (int round = 0; round < 2000; ++round) {
    Channel law = random_channel(rng, 2 + rng.below(7), 1 + rng.below(8));
    for (double epsilon : {0.0, 0.1, 0.5, 1.0, 3.0}) {
      EXPECT_LE(best_rate(law),
                identification_bound(epsilon, exact_delta(law, epsilon), law.size()) + 1e-12)
          << "round " << round << ", epsilon " << epsilon;
    }
  }
}

TEST(IdentificationBound, IsReachedByRandomisedResponse) {
  for (std::size_t m : {2U, 6U, 20U}) {
    double e = std::exp(0.7), rest = static_cast<double>(m - 1);
    Channel law(m, std::vector<double>(m, 1 / (e + rest)));
    for (std::size_t i = 0; i < m; ++i) law[i][i] = e / (e + rest);
    EXPECT_NEAR(exact_delta(law, 0.7), 0, 1e-12);
    EXPECT_NEAR(best_rate(law), identification_bound(0.7, 0, m), 1e-12);
  }
}

TEST(IdentificationBound, GoesFromOneInKToCertainty) {
  EXPECT_DOUBLE_EQ(identification_bound(0, 0, 6), 1.0 / 6);
  EXPECT_DOUBLE_EQ(identification_bound(0, -0.5, 6), 1.0 / 6);
  EXPECT_DOUBLE_EQ(identification_bound(0, 1, 6), 1);
  EXPECT_DOUBLE_EQ(identification_bound(0, 7, 6), 1);
  EXPECT_DOUBLE_EQ(identification_bound(5000, 0, 6), 1);
  EXPECT_DOUBLE_EQ(identification_bound(0, 0, 1), 1);
}

TEST(IdentificationBound, CountsKnownPeopleAsIdentified) {
  EXPECT_DOUBLE_EQ(identification_with_known(0.25, 0), 0.25);
  EXPECT_DOUBLE_EQ(identification_with_known(0.25, 0.2), 0.4);
  EXPECT_DOUBLE_EQ(identification_with_known(1, 0.2), 1);
}

}  // namespace
}  // namespace rankveil::bound
