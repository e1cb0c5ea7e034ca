// T9b: the model is fitted on the very table that is swapped.
//
// People are drawn from one of six models. The owner draws a model from what his true table says of
// them (the posterior), and swaps with it. Then even who is told the model learns of no coin.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "tests/privacy/enumerations/rearrangement.h"

namespace rankveil::enumerations {
namespace {

struct Models {
  std::vector<Model> models;
  std::vector<double> prior;
};

Models six_models(Rng& rng, std::size_t rows, std::size_t values) {
  Models made;
  for (int i = 0; i < 6; ++i) {
    made.models.push_back(random_model(rng, rows, values));
    made.prior.push_back(0.1 + rng.uniform());
  }
  scale_to_one(made.prior);
  return made;
}

// How likely the owner takes each model, given his true table.
using Fit = std::vector<double> (*)(const Models&, const Arrangement&);

std::vector<double> posterior(const Models& from, const Arrangement& truth) {
  std::vector<double> odds;
  for (std::size_t i = 0; i < from.models.size(); ++i) {
    odds.push_back(from.prior[i] * weight(truth, from.models[i]));
  }
  scale_to_one(odds);
  return odds;
}

std::vector<double> likeliest(const Models& from, const Arrangement& truth) {
  std::vector<double> odds = posterior(from, truth);
  std::vector<double> taken(odds.size(), 0);
  taken[static_cast<std::size_t>(std::ranges::max_element(odds) - odds.begin())] = 1;
  return taken;
}

// Pr(table) before any model is known.
double chance_of(const Models& from, const Arrangement& truth) {
  double sum = 0;
  for (std::size_t i = 0; i < from.models.size(); ++i) {
    sum += from.prior[i] * weight(truth, from.models[i]);
  }
  return sum;
}

// [z][model][coins]: the probability of all three, for tables of this multiset.
using Seen = std::vector<std::vector<std::vector<double>>>;

Seen seen_with_the_model(const Models& from, const Arrangement& values, double p, Fit fit) {
  const auto all = arrangements(values);
  Seen seen(all.size(),
            std::vector(from.models.size(), std::vector<double>(coin_sets(values.size()), 0)));
  for (std::size_t m = 0; m < from.models.size(); ++m) {
    const Law law = law_of_people(all, from.models[m]);
    for (Coins coins = 0; coins < coin_sets(values.size()); ++coins) {
      const Kernel kernel = exact_draw(all, law, coins);
      for (std::size_t truth = 0; truth < all.size(); ++truth) {
        double taken = chance_of(from, all[truth]) * fit(from, all[truth])[m];
        for (std::size_t z = 0; z < all.size(); ++z) {
          seen[z][m][coins] += taken * chance(coins, values.size(), p) * kernel[truth][z];
        }
      }
    }
  }
  return seen;
}

struct Shift {
  double most = 0;
  double mean = 0;  // over what is seen
};

// How far (z, model) moves the belief that row 0 kept its value.
Shift coin_shift(const Seen& seen, double p) {
  Shift shift;
  double total = 0;
  for (const auto& with_z : seen) {
    for (const auto& by_coins : with_z) {
      double sum = std::accumulate(by_coins.begin(), by_coins.end(), 0.0);
      double kept = 0;
      for (Coins coins = 1; coins < by_coins.size(); coins += 2) kept += by_coins[coins];
      if (sum < 1e-12) continue;
      shift.most = std::max(shift.most, std::abs(kept / sum - p));
      shift.mean += std::abs(kept - p * sum);
      total += sum;
    }
  }
  shift.mean /= total;
  return shift;
}

struct OwnTable {
  Models from;
  Arrangement values;
};

OwnTable own_table(std::uint64_t seed) {
  Rng rng(seed);
  Arrangement values = seed % 2 == 0 ? Arrangement{0, 1, 1, 2} : Arrangement{0, 0, 1, 1, 1};
  return {six_models(rng, values.size(), 3), values};
}

TEST(OwnTable, AModelDrawnFromItsPosteriorHidesCoinsEvenWhenItIsPublished) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    OwnTable own = own_table(seed);
    Seen seen = seen_with_the_model(own.from, own.values, 1.0 / 3, posterior);
    EXPECT_LT(coin_shift(seen, 1.0 / 3).most, 1e-12) << seed;
  }
}

// With a handful of rows. With thousands the mode and a draw agree.
TEST(OwnTable, TheLikeliestModelIsNotQuiteThat) {
  double mean = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    OwnTable own = own_table(seed);
    Seen seen = seen_with_the_model(own.from, own.values, 1.0 / 3, likeliest);
    mean += coin_shift(seen, 1.0 / 3).mean / 6;
  }
  EXPECT_GT(mean, 0.002);
  EXPECT_LT(mean, 0.05);
}

}  // namespace
}  // namespace rankveil::enumerations
