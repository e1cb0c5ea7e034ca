#include "rankveil/base/fit/multinomial.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rankveil/base/fit/portable_math.h"
#include "rankveil/base/random.h"

namespace rankveil {
namespace {

struct FitCase {
  std::vector<FeatureColumn> columns;
  std::vector<std::uint16_t> labels;
  std::uint32_t classes;
};

// Rows with 2 to 4 columns whose features lean towards some classes.
FitCase random_fit_case(std::uint64_t seed, std::size_t rows) {
  Rng rng(seed);
  FitCase made;
  made.classes = 2 + static_cast<std::uint32_t>(rng.below(5));
  auto columns = 2 + rng.below(3);
  for (std::uint64_t c = 0; c < columns; ++c) {
    auto features = 2 + static_cast<std::uint32_t>(rng.below(4));
    made.columns.push_back({features, rng.below(2) == 0 ? features : 0, {}});
  }
  for (std::size_t r = 0; r < rows; ++r) {
    std::uint64_t lean = 0;
    for (FeatureColumn& column : made.columns) {
      auto feature = static_cast<std::uint16_t>(rng.below(column.features + 1));
      column.of_row.push_back(feature == column.features ? no_feature : feature);
      lean += feature;
    }
    std::uint64_t label = rng.below(3) == 0 ? rng.below(made.classes) : lean % made.classes;
    made.labels.push_back(static_cast<std::uint16_t>(label));
  }
  return made;
}

// The definition: cumulative features for those with an order, one at a time.
std::vector<std::vector<double>> plain_features(const FitCase& fitted) {
  std::vector<std::vector<double>> rows(fitted.labels.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const FeatureColumn& column : fitted.columns) {
      std::uint16_t own = column.of_row[r];
      for (std::uint32_t f = 0; f < column.features; ++f) {
        bool has = own == f || (own != no_feature && own < column.ordered && f < own);
        rows[r].push_back(has && own != no_feature ? 1 : 0);
      }
    }
  }
  return rows;
}

std::vector<double> plain_softmax(const std::vector<double>& features,
                                  const std::vector<std::vector<double>>& weights,
                                  const std::vector<double>& intercepts) {
  std::vector<double> p(intercepts.size());
  double sum = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    double score = intercepts[k];
    for (std::size_t f = 0; f < features.size(); ++f) score += features[f] * weights[k][f];
    p[k] = std::exp(score);
    sum += p[k];
  }
  for (double& one : p) one /= sum;
  return p;
}

// Gradient descent until the gradient is gone, word for word.
std::vector<std::vector<double>> plain_fit(const FitCase& fitted, double ridge) {
  auto rows = plain_features(fitted);
  std::size_t features = rows[0].size();
  std::vector<std::vector<double>> weights(fitted.classes, std::vector<double>(features, 0));
  std::vector<double> intercepts(fitted.classes, 0);
  double rate = 2.0 / (static_cast<double>(rows.size()) * 4);
  for (int pass = 0; pass < 6000; ++pass) {
    auto by_weights = weights;
    for (auto& list : by_weights) {
      for (double& one : list) one *= ridge;
    }
    std::vector<double> by_intercepts(fitted.classes, 0);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      auto p = plain_softmax(rows[r], weights, intercepts);
      p[fitted.labels[r]] -= 1;
      for (std::size_t k = 0; k < p.size(); ++k) {
        by_intercepts[k] += p[k];
        for (std::size_t f = 0; f < features; ++f) by_weights[k][f] += p[k] * rows[r][f];
      }
    }
    for (std::size_t k = 0; k < intercepts.size(); ++k) {
      intercepts[k] -= rate * by_intercepts[k];
      for (std::size_t f = 0; f < features; ++f) weights[k][f] -= rate * by_weights[k][f];
    }
  }
  std::vector<std::vector<double>> fits;
  for (const auto& row : rows) fits.push_back(plain_softmax(row, weights, intercepts));
  return fits;
}

std::vector<std::uint16_t> features_of(const FitCase& fitted, std::size_t row) {
  std::vector<std::uint16_t> features;
  for (const FeatureColumn& column : fitted.columns) features.push_back(column.of_row[row]);
  return features;
}

TEST(Multinomial, AgreesWithPlainDescent) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    FitCase fitted = random_fit_case(seed, 60);
    auto model = fit_multinomial(fitted.columns, fitted.labels, fitted.classes,
                                 {.ridge = 2, .tolerance = 1e-14, .max_steps = 500});
    auto plain = plain_fit(fitted, 2);
    for (std::size_t r = 0; r < plain.size(); ++r) {
      auto p = model.probabilities(features_of(fitted, r));
      for (std::size_t k = 0; k < p.size(); ++k) {
        EXPECT_NEAR(p[k], plain[r][k], 1e-5) << "seed " << seed << " row " << r;
      }
    }
  }
}

// At the lowest point a model has, of every class, as many rows as the table: intercepts are free.
TEST(Multinomial, ExpectsAsManyRowsOfEachClassAsThereAre) {
  FitCase fitted = random_fit_case(17, 60'000);
  auto model = fit_multinomial(fitted.columns, fitted.labels, fitted.classes);
  std::vector<double> expected(fitted.classes, 0);
  std::vector<double> counted(fitted.classes, 0);
  for (std::size_t r = 0; r < fitted.labels.size(); ++r) {
    auto p = model.probabilities(features_of(fitted, r));
    for (std::size_t k = 0; k < p.size(); ++k) expected[k] += p[k];
    ++counted[fitted.labels[r]];
  }
  for (std::size_t k = 0; k < counted.size(); ++k) {
    EXPECT_NEAR(expected[k] / counted[k], 1, 2e-3) << k;
  }
}

TEST(Multinomial, IsTheSameOnAnyNumberOfThreads) {
  FitCase fitted = random_fit_case(3, 40'000);
  auto model = [&](std::uint32_t threads) {
    return fit_multinomial(fitted.columns, fitted.labels, fitted.classes, {.threads = threads});
  };
  Multinomial one = model(1);
  for (std::uint32_t threads : {2U, 3U, 8U}) {
    Multinomial other = model(threads);
    for (std::uint32_t c = 0; c < one.columns(); ++c) {
      for (std::uint32_t f = 0; f < one.features(c); ++f) {
        auto a = one.weights(c, f);
        auto b = other.weights(c, f);
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << threads;
      }
    }
  }
}

TEST(Multinomial, SaysTheSharesWhereThereAreNoFeatures) {
  std::vector<std::uint16_t> labels = {0, 0, 0, 1};
  auto model = fit_multinomial({}, labels, 2, {.tolerance = 1e-12});
  EXPECT_NEAR(model.probabilities({})[0], 0.75, 1e-5);
}

TEST(PortableMath, AgreesWithTheLibrary) {
  for (double x = -699; x < 699; x += 0.37) {
    fit::Four power = fit::exp_of(fit::Four{x, -800, -1e300, 0});
    EXPECT_NEAR(power[0] / std::exp(x), 1, 1e-14) << x;
    EXPECT_EQ(power[1], 0);
    EXPECT_EQ(power[2], 0);
    EXPECT_EQ(power[3], 1);
  }
  for (double x = 1e-9; x < 1e9; x *= 1.13) {
    EXPECT_NEAR(fit::log_of(x), std::log(x), 1e-14 * (1 + std::abs(std::log(x)))) << x;
  }
}

}  // namespace
}  // namespace rankveil
