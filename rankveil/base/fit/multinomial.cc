#include "rankveil/base/fit/multinomial.h"

#include <algorithm>
#include <cassert>

#include "rankveil/base/fit/curvature.h"
#include "rankveil/base/fit/descent.h"
#include "rankveil/base/fit/likelihood_pass.h"
#include "rankveil/base/fit/one_hot_rows.h"
#include "rankveil/base/fit/portable_math.h"

namespace rankveil {

namespace {

// Fits the weights `at` (in steps, see curvature.h) to some rows. The ridge is for as many rows as
// `of_rows`; fewer count it in part.
void improve_weights(const fit::OneHotRows& rows, std::uint32_t classes, double of_rows,
                     double tolerance, const MultinomialOptions& options, fit::Numbers& at) {
  double ridge = options.ridge * rows.total / of_rows;
  fit::LikelihoodPass pass(rows, classes, options.threads);
  std::uint32_t width = pass.width();
  fit::Curvature curvature(rows, classes, width, ridge, options.threads);
  std::size_t penalised = std::size_t{rows.features} * width;
  fit::Numbers weights;
  fit::Slope slope;
  slope.look = [&](const fit::Numbers& steps, fit::Numbers& gradient) {
    weights = steps;
    steps_to_weights(rows, width, weights);
    double value = pass(weights, gradient);
    gradient_by_steps(rows, width, gradient);
    double squares = 0;
    for (std::size_t i = 0; i < penalised; ++i) {
      squares += steps[i] * steps[i];
      gradient[i] += ridge * steps[i];
    }
    return value + ridge / 2 * squares;
  };
  slope.divide = [&](fit::Numbers& gradient) { curvature.divide(gradient); };
  descend(slope, at, tolerance * rows.total, options.max_steps);
}

// Intercepts that fit on their own; no weights.
fit::Numbers first_weights(const fit::OneHotRows& rows, std::uint32_t classes,
                           std::uint32_t width) {
  fit::Numbers at(std::size_t{rows.features + 1} * width, 0);
  std::vector<double> counts(classes, 0.5);
  for (std::size_t r = 0; r < rows.rows(); ++r) counts[rows.labels[r]] += rows.weights[r];
  for (std::uint32_t k = 0; k < classes; ++k) {
    at[std::size_t{rows.features} * width + k] = fit::log_of(counts[k] / (rows.total + 1));
  }
  return at;
}

Multinomial without_padding(const fit::OneHotRows& rows, std::uint32_t classes, std::uint32_t width,
                            const fit::Numbers& weights) {
  std::vector<double> own;
  own.reserve(std::size_t{rows.features} * classes);
  for (std::size_t f = 0; f < rows.features; ++f) {
    auto begin = weights.begin() + static_cast<std::ptrdiff_t>(f * width);
    own.insert(own.end(), begin, begin + classes);
  }
  auto last = weights.begin() + static_cast<std::ptrdiff_t>(std::size_t{rows.features} * width);
  return {rows.of_column, classes, std::move(own), {last, last + classes}};
}

}  // namespace

Multinomial fit_multinomial(std::span<const FeatureColumn> columns,
                            std::span<const std::uint16_t> labels, std::uint32_t classes,
                            const MultinomialOptions& options) {
  assert(classes > 0 && "a row is in some class");
  fit::OneHotRows rows = fit::one_hot_rows(columns, labels);
  std::uint32_t width = (classes + fit::four - 1) / fit::four * fit::four;
  fit::Numbers at = first_weights(rows, classes, width);
  // Most of the way is gone on a few of the rows.
  constexpr std::size_t few_rows = 8192;
  for (std::size_t step : {64, 16, 4}) {
    if (rows.rows() / step < few_rows) continue;
    improve_weights(thinned(rows, step), classes, rows.total, 10 * options.tolerance, options, at);
  }
  if (rows.rows() > 0) {
    improve_weights(rows, classes, rows.total, options.tolerance, options, at);
  }
  steps_to_weights(rows, width, at);
  return without_padding(rows, classes, width, at);
}

Multinomial::Multinomial(std::vector<std::uint32_t> features, std::uint32_t classes,
                         std::vector<double> weights, std::vector<double> intercepts)
    : classes_(classes),
      features_(std::move(features)),
      weights_(std::move(weights)),
      intercepts_(std::move(intercepts)) {
  std::size_t next = 0;
  for (std::uint32_t count : features_) {
    first_.push_back(next);
    next += count;
  }
  assert(weights_.size() == next * classes_ && intercepts_.size() == classes_);
}

std::vector<double> Multinomial::probabilities(std::span<const std::uint16_t> row) const {
  assert(row.size() == columns() && "a feature for each column, or none");
  std::vector<double> scores = intercepts_;
  for (std::uint32_t c = 0; c < columns(); ++c) {
    if (row[c] == no_feature) continue;
    auto own = weights(c, row[c]);
    for (std::uint32_t k = 0; k < classes_; ++k) scores[k] += own[k];
  }
  double top = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& score : scores) {
    fit::Four same = {score - top, 0, 0, 0};
    score = fit::exp_of(same)[0];
    sum += score;
  }
  for (double& score : scores) score /= sum;
  return scores;
}

}  // namespace rankveil
