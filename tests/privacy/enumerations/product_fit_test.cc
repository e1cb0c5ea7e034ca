// T9b for the product's own fit: it is made on the very table that is swapped, and takes the
// likeliest weights where the theorem takes a draw from what the table says of them. By summing
// over all truths and all coins of tables of up to eight rows.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "rankveil/base/fit/multinomial.h"
#include "rankveil/protect/swap/fitted/block_model.h"
#include "tests/privacy/enumerations/rearrangement.h"

namespace rankveil::enumerations {
namespace {

// Rows have one of two public values, half of them each; people are drawn from models whose weights
// are as the fit's ridge takes them to be: normal around 0.
struct OwnFit {
  std::size_t rows;
  Arrangement values;
  std::vector<Model> people;  // models, equally likely

  std::uint16_t feature(std::size_t row) const { return row < rows / 2 ? 0 : 1; }
};

double normal(Rng& rng) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += rng.uniform();
  return sum;
}

Model model_of(const OwnFit& own, const std::vector<std::vector<double>>& weights) {
  Model model;
  for (std::size_t row = 0; row < own.rows; ++row) {
    auto& likely = model.emplace_back();
    for (double weight : weights[own.feature(row)]) likely.push_back(std::exp(weight));
    scale_to_one(likely);
  }
  return model;
}

OwnFit own_fit(std::size_t rows, std::uint64_t seed) {
  Rng rng(seed);
  OwnFit own{rows, {}, {}};
  for (std::size_t row = 0; row < rows; ++row) own.values.push_back(static_cast<int>(row % 2));
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::vector<double>> weights(2, std::vector<double>(2));
    for (auto& of_feature : weights) {
      for (double& weight : of_feature) weight = normal(rng) / std::sqrt(fitted::fit_ridge);
    }
    own.people.push_back(model_of(own, weights));
  }
  return own;
}

// What the owner takes for the law of people, given his true table.
using OwnersLaw = Model (*)(const OwnFit&, const Arrangement&);

Model fitted_by_the_product(const OwnFit& own, const Arrangement& truth) {
  FeatureColumn column{2, 0, {}};
  std::vector<std::uint16_t> labels;
  for (std::size_t row = 0; row < own.rows; ++row) {
    column.of_row.push_back(own.feature(row));
    labels.push_back(static_cast<std::uint16_t>(truth[row]));
  }
  Multinomial fit = fit_multinomial(std::span(&column, 1), labels, 2,
                                    {.ridge = fitted::fit_ridge, .tolerance = 1e-9, .threads = 1});
  Model model;
  for (std::size_t row = 0; row < own.rows; ++row) {
    std::uint16_t feature = own.feature(row);
    model.push_back(fit.probabilities(std::span(&feature, 1)));
  }
  return model;
}

Model all_alike(const OwnFit& own, const Arrangement&) { return even_model(own.rows, 2); }

// How far what is shown moves the belief that row 0 kept its value, on average, to who knows how
// people are drawn and how the owner fits. p = 1/3.
double coin_shift_of(const OwnFit& own, OwnersLaw owners) {
  const auto all = arrangements(own.values);
  Law people(all.size(), 0);
  for (const Model& model : own.people) {
    // People of a model come with this multiset as often as it says, not equally often.
    for (std::size_t i = 0; i < all.size(); ++i) people[i] += weight(all[i], model);
  }
  scale_to_one(people);
  Law shown(all.size(), 0);
  Law kept(all.size(), 0);
  for (std::size_t truth = 0; truth < all.size(); ++truth) {
    Law law = law_of_people(all, owners(own, all[truth]));
    for (Coins coins = 0; coins < coin_sets(own.rows); ++coins) {
      double likely = people[truth] * chance(coins, own.rows, 1.0 / 3);
      Kernel kernel = exact_draw(all, law, coins);
      for (std::size_t z = 0; z < all.size(); ++z) {
        shown[z] += likely * kernel[truth][z];
        if (keeps(coins, 0)) kept[z] += likely * kernel[truth][z];
      }
    }
  }
  double shift = 0;
  for (std::size_t z = 0; z < all.size(); ++z) shift += std::abs(kept[z] - shown[z] / 3);
  return shift;
}

TEST(ProductFit, HidesCoinsNearlyOnTablesOfAHandful) {
  for (std::size_t rows : {4U, 6U, 8U}) {
    OwnFit own = own_fit(rows, rows);
    double fitted = coin_shift_of(own, fitted_by_the_product);
    double alike = coin_shift_of(own, all_alike);
    std::printf("%zu rows: the product's fit moves a coin by %.4f, no model by %.4f\n", rows,
                fitted, alike);
    EXPECT_LT(fitted, 0.02) << rows;
    EXPECT_LT(fitted, 0.6 * alike) << rows;
  }
}

}  // namespace
}  // namespace rankveil::enumerations
