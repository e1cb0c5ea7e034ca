#include "rankveil/base/fit/curvature.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rankveil/base/parallel.h"

namespace rankveil::fit {

namespace {

constexpr std::uint32_t max_dense = 384;
constexpr std::size_t rows_to_count = 16'384;
constexpr std::uint32_t not_dense = UINT32_MAX;

// Shares that differ by less than a factor of four use one factorisation.
double rounded_share(double share) {
  double rounded = 0.25;
  while (rounded > 1e-7 && rounded > 2 * share) rounded /= 4;
  return rounded;
}

}  // namespace

void steps_to_weights(const OneHotRows& rows, std::uint32_t width, Numbers& numbers) {
  for (std::uint32_t c = 0; c < rows.columns; ++c) {
    for (std::uint32_t f = 1; f < rows.ordered[c]; ++f) {
      double* to = &numbers[std::size_t{rows.first[c] + f} * width];
      for (std::uint32_t k = 0; k < width; ++k) to[k] += to[k - std::ptrdiff_t{width}];
    }
  }
}

void gradient_by_steps(const OneHotRows& rows, std::uint32_t width, Numbers& numbers) {
  for (std::uint32_t c = 0; c < rows.columns; ++c) {
    for (std::uint32_t f = rows.ordered[c]; f-- > 1;) {
      double* from = &numbers[std::size_t{rows.first[c] + f} * width];
      for (std::uint32_t k = 0; k < width; ++k) from[k - std::ptrdiff_t{width}] += from[k];
    }
  }
}

Curvature::Curvature(const OneHotRows& rows, std::uint32_t classes, std::uint32_t width,
                     double ridge, std::uint32_t threads)
    : width_(width),
      classes_(classes),
      ridge_(ridge),
      threads_(threads),
      place_(rows.features + 1, not_dense),
      diagonal_(rows.features + 1, 0) {
  choose_dense(rows);
  count_each(rows);
  std::vector<double> together = count_together(rows);
  std::vector<double> class_rows(classes, 0);
  for (std::size_t r = 0; r < rows.rows(); ++r) class_rows[rows.labels[r]] += rows.weights[r];
  for (double own : class_rows) {
    double share = own / rows.total;
    double rounded = rounded_share(share * (1 - share));
    auto known = std::find(shares_.begin(), shares_.end(), rounded);
    factor_of_.push_back(static_cast<std::uint32_t>(known - shares_.begin()));
    if (known == shares_.end()) factor(together, rounded);
  }
}

// Whole columns, small ones first.
void Curvature::choose_dense(const OneHotRows& rows) {
  std::vector<std::uint32_t> columns(rows.columns);
  std::iota(columns.begin(), columns.end(), 0U);
  std::stable_sort(columns.begin(), columns.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rows.of_column[a] < rows.of_column[b];
  });
  for (std::uint32_t c : columns) {
    if (dense_.size() + rows.of_column[c] > max_dense) break;
    for (std::uint32_t f = 0; f < rows.of_column[c]; ++f) dense_.push_back(rows.first[c] + f);
  }
  std::sort(dense_.begin(), dense_.end());
  dense_.push_back(rows.features);
  for (std::uint32_t i = 0; i < dense_.size(); ++i) place_[dense_[i]] = i;
}

void Curvature::count_each(const OneHotRows& rows) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::uint32_t c = 0; c < rows.columns; ++c) {
      diagonal_[rows.row(r)[c]] += rows.weights[r];
    }
  }
  for (std::uint32_t c = 0; c < rows.columns; ++c) {
    for (std::uint32_t f = rows.ordered[c]; f-- > 1;) {
      diagonal_[rows.first[c] + f - 1] += diagonal_[rows.first[c] + f];
    }
  }
}

// How many rows have two features, by those of some rows.
std::vector<double> Curvature::count_together(const OneHotRows& rows) const {
  std::size_t size = dense_.size();
  std::vector<double> counts(size * size, 0);
  std::size_t step = std::max<std::size_t>(1, rows.rows() / rows_to_count);
  double counted = 0;
  std::vector<std::uint32_t> places;
  for (std::size_t r = 0; r < rows.rows(); r += step) {
    places.clear();
    for (std::uint32_t c = 0; c < rows.columns; ++c) {
      std::uint32_t feature = rows.row(r)[c];
      bool there = feature != rows.none() && place_[feature] != not_dense;
      if (there) places.push_back(place_[feature]);
    }
    places.push_back(static_cast<std::uint32_t>(size - 1));
    for (std::uint32_t a : places) {
      for (std::uint32_t b : places) counts[a * size + b] += rows.weights[r];
    }
    counted += rows.weights[r];
  }
  for (double& count : counts) count *= rows.total / counted;
  sum_ordered(rows, counts);
  return counts;
}

// A step counts for its own feature and all behind it, of both sides of the matrix.
void Curvature::sum_ordered(const OneHotRows& rows, std::vector<double>& counts) const {
  std::size_t size = dense_.size();
  for (std::uint32_t c = 0; c < rows.columns; ++c) {
    if (rows.ordered[c] == 0 || place_[rows.first[c]] == not_dense) continue;
    std::size_t first = place_[rows.first[c]];
    for (std::size_t f = rows.ordered[c]; f-- > 1;) {
      const double* from = &counts[(first + f) * size];
      double* to = &counts[(first + f - 1) * size];
      for (std::size_t i = 0; i < size; ++i) to[i] += from[i];
    }
    for (std::size_t i = 0; i < size; ++i) {
      double* row = &counts[i * size + first];
      for (std::size_t f = rows.ordered[c]; f-- > 1;) row[f - 1] += row[f];
    }
  }
}

// Cholesky's, of share together + ridge.
void Curvature::factor(const std::vector<double>& together, double share) {
  std::size_t size = dense_.size();
  Triangle lower(size * size, 0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = share * together[i * size + j];
      if (i == j) sum += i + 1 < size ? ridge_ : 1e-6 + 1e-9 * sum;
      const double* a = &lower[i * size];
      const double* b = &lower[j * size];
      double parts[4] = {0, 0, 0, 0};
      std::size_t k = 0;
      for (; k + 4 <= j; k += 4) {
        for (std::size_t p = 0; p < 4; ++p) parts[p] += a[k + p] * b[k + p];
      }
      for (; k < j; ++k) parts[0] += a[k] * b[k];
      sum -= (parts[0] + parts[1]) + (parts[2] + parts[3]);
      lower[i * size + j] = i == j ? std::sqrt(std::max(sum, 1e-9)) : sum / b[j];
    }
  }
  shares_.push_back(share);
  factors_.push_back(std::move(lower));
}

void Curvature::divide_class(std::uint32_t label, Numbers& gradient) const {
  std::size_t size = dense_.size();
  const Triangle& lower = factors_[factor_of_[label]];
  double share = shares_[factor_of_[label]];
  std::vector<double> x(size);
  for (std::size_t i = 0; i < size; ++i) {
    double sum = gradient[std::size_t{dense_[i]} * width_ + label];
    for (std::size_t k = 0; k < i; ++k) sum -= lower[i * size + k] * x[k];
    x[i] = sum / lower[i * size + i];
  }
  for (std::size_t i = size; i-- > 0;) {
    x[i] /= lower[i * size + i];
    for (std::size_t k = 0; k < i; ++k) x[k] -= lower[i * size + k] * x[i];
  }
  for (std::size_t i = 0; i < size; ++i) gradient[std::size_t{dense_[i]} * width_ + label] = x[i];
  for (std::size_t f = 0; f + 1 < place_.size(); ++f) {
    if (place_[f] == not_dense) gradient[f * width_ + label] /= share * diagonal_[f] + ridge_;
  }
}

void Curvature::divide(Numbers& gradient) const {
  parallel_for(classes_, threads_, [&](std::size_t label) {
    divide_class(static_cast<std::uint32_t>(label), gradient);
  });
}

}  // namespace rankveil::fit
