#include "tests/privacy/enumerations/arrangements.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace rankveil::enumerations {

std::vector<Arrangement> arrangements(Arrangement values) {
  std::ranges::sort(values);
  std::vector<Arrangement> all;
  do {
    all.push_back(values);
  } while (std::ranges::next_permutation(values).found);
  return all;
}

std::size_t place_of(const std::vector<Arrangement>& all, const Arrangement& arrangement) {
  return static_cast<std::size_t>(std::ranges::lower_bound(all, arrangement) - all.begin());
}

double weight(const Arrangement& arrangement, const Model& model) {
  double product = 1;
  for (std::size_t row = 0; row < arrangement.size(); ++row) {
    product *= model[row][static_cast<std::size_t>(arrangement[row])];
  }
  return product;
}

void scale_to_one(Law& law) {
  double sum = std::accumulate(law.begin(), law.end(), 0.0);
  for (double& share : law) share /= sum;
}

Law law_of_people(const std::vector<Arrangement>& all, const Model& model) {
  Law law;
  for (const Arrangement& arrangement : all) law.push_back(weight(arrangement, model));
  scale_to_one(law);
  return law;
}

bool keeps(Coins coins, std::size_t row) { return ((coins >> row) & 1) != 0; }

Coins coin_sets(std::size_t rows) { return Coins{1} << rows; }

double chance(Coins coins, std::size_t rows, double p) {
  auto kept = static_cast<double>(std::popcount(coins));
  return std::pow(p, kept) * std::pow(1 - p, static_cast<double>(rows) - kept);
}

Model random_model(Rng& rng, std::size_t rows, std::size_t values) {
  Model model(rows, std::vector<double>(values));
  for (auto& row : model) {
    for (double& share : row) share = 0.02 + rng.uniform() * rng.uniform();
    scale_to_one(row);
  }
  return model;
}

Model even_model(std::size_t rows, std::size_t values) {
  return Model(rows, std::vector<double>(values, 1.0 / static_cast<double>(values)));
}

}  // namespace rankveil::enumerations
