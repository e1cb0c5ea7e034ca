#include "rankveil/audit/whole_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace rankveil::audit {
namespace {

TEST(SwapOdds, AreThoseOfTheStudy) {
  EXPECT_NEAR(swap_odds(1.0 / 2, 5).own, .531250, 1e-6);
  EXPECT_NEAR(swap_odds(1.0 / 2, 5).other, .117188, 1e-6);
  EXPECT_NEAR(swap_odds(1.0 / 3, 6).own, .336077, 1e-6);
  EXPECT_NEAR(swap_odds(1.0 / 3, 6).other, .132785, 1e-6);
  EXPECT_NEAR(swap_odds(1.0 / 4, 6).own, .250732, 1e-6);
  EXPECT_NEAR(swap_odds(1.0 / 4, 6).other, .149854, 1e-6);
}

// How likely each permutation is: all coins, and all cycles through the rows that move. Permutation
// s: row r shows the vector of row s[r].
template <typename Visit>
void for_each_outcome(std::uint32_t rows, double keep, const Visit& visit) {
  for (std::uint32_t moved = 0; moved < 1U << rows; ++moved) {
    std::vector<std::uint32_t> movers;
    for (std::uint32_t r = 0; r < rows; ++r) {
      if ((moved >> r & 1U) != 0) movers.push_back(r);
    }
    double coins = std::pow(1 - keep, movers.size()) * std::pow(keep, rows - movers.size());
    double orders = std::tgamma(static_cast<double>(movers.size()) + 1);
    do {
      std::vector<std::uint32_t> shows(rows);
      std::iota(shows.begin(), shows.end(), 0);
      for (std::size_t i = 0; i < movers.size(); ++i) {
        shows[movers[i]] = movers[(i + movers.size() - 1) % movers.size()];
      }
      visit(shows, coins / orders);
    } while (std::next_permutation(movers.begin(), movers.end()));
  }
}

// Posterior of row 0 over all assignments of `values` to rows that fit what all rows show.
std::vector<double> plain_posterior(const std::vector<std::uint32_t>& values,
                                    const std::vector<std::uint32_t>& shown, double keep,
                                    std::uint32_t domain) {
  auto rows = static_cast<std::uint32_t>(values.size());
  std::vector<double> posterior(domain, 0);
  std::vector<std::uint32_t> truth = values;
  std::sort(truth.begin(), truth.end());
  do {
    for_each_outcome(rows, keep, [&](const std::vector<std::uint32_t>& shows, double p) {
      for (std::uint32_t r = 0; r < rows; ++r) {
        if (truth[shows[r]] != shown[r]) return;
      }
      posterior[truth[0]] += p;
    });
  } while (std::next_permutation(truth.begin(), truth.end()));
  double sum = std::accumulate(posterior.begin(), posterior.end(), 0.0);
  for (double& p : posterior) p /= sum;
  return posterior;
}

TEST(SwapPosterior, IsExactForRowsWithEqualVectors) {
  std::vector<std::vector<std::uint32_t>> tables = {
      {0, 1, 2, 3}, {0, 0, 1, 2}, {0, 0, 0, 1}, {1, 1, 0, 0}, {0, 1, 1, 2, 2}};
  for (const auto& values : tables) {
    for (double keep : {1.0 / 2, 1.0 / 3}) {
      std::uint32_t domain = 1 + *std::max_element(values.begin(), values.end());
      auto rows = static_cast<std::uint32_t>(values.size());
      std::vector<double> shares(domain, 0), posterior(domain);
      for (std::uint32_t value : values) shares[value] += 1.0 / rows;
      std::vector<std::uint32_t> shown = values;
      std::reverse(shown.begin(), shown.end());
      swap_posterior(swap_odds(keep, rows), shares, rows, shown[0], posterior);
      auto plain = plain_posterior(values, shown, keep, domain);
      for (std::uint32_t x = 0; x < domain; ++x) EXPECT_NEAR(posterior[x], plain[x], 1e-9) << x;
    }
  }
}

TEST(SwapPosterior, SaysNothingAboutAValueThatNobodyHas) {
  std::vector<double> shares = {.5, .5}, posterior(2);
  swap_posterior(swap_odds(.5, 10), shares, 10, 7, posterior);
  EXPECT_EQ(posterior, shares);
}

}  // namespace
}  // namespace rankveil::audit
