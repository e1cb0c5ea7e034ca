#include "rankveil/base/fit/likelihood_pass.h"

#include <algorithm>
#include <cstring>

#include "rankveil/base/fit/portable_math.h"
#include "rankveil/base/parallel.h"

namespace rankveil::fit {

namespace {

// A fixed number, or sums would depend on the threads; fewer where there is much to add up.
std::size_t pieces_for(std::size_t rows, std::size_t numbers) {
  std::size_t most = numbers > 100'000 ? 4 : 16;
  return std::clamp<std::size_t>(rows / 1024, 1, most);
}

Four load(const double* from) {
  Four four_numbers;
  std::memcpy(&four_numbers, from, sizeof(four_numbers));
  return four_numbers;
}

void store(double* to, Four numbers) { std::memcpy(to, &numbers, sizeof(numbers)); }

void add_to(double* sums, const double* more, std::uint32_t width) {
  for (std::uint32_t k = 0; k < width; k += four) store(sums + k, load(sums + k) + load(more + k));
}

double largest(const double* numbers, std::uint32_t width) {
  Four best = load(numbers);
  for (std::uint32_t k = four; k < width; k += four) {
    Four next = load(numbers + k);
    best = next > best ? next : best;
  }
  return std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
}

// scores become exp(score - top); returns their sum.
double exponentials(double* scores, double top, std::uint32_t width) {
  Four sum = {0, 0, 0, 0};
  for (std::uint32_t k = 0; k < width; k += four) {
    Four power = exp_of(load(scores + k) - top);
    store(scores + k, power);
    sum += power;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

LikelihoodPass::LikelihoodPass(const OneHotRows& rows, std::uint32_t classes, std::uint32_t threads)
    : rows_(rows),
      classes_(classes),
      width_((classes + four - 1) / four * four),
      threads_(threads),
      padded_(std::size_t{rows.features + 2} * width_) {
  std::size_t pieces = pieces_for(rows.rows(), padded_.size());
  partial_.assign(pieces, Numbers(padded_.size()));
  losses_.assign(pieces, 0);
}

// The features of padded_: those of the rows, none, and the intercepts last.
void LikelihoodPass::run_piece(std::size_t piece) {
  Numbers& gradient = partial_[piece];
  std::fill(gradient.begin(), gradient.end(), 0);
  std::size_t begin = rows_.rows() * piece / partial_.size();
  std::size_t end = rows_.rows() * (piece + 1) / partial_.size();
  std::size_t intercepts = std::size_t{rows_.features + 1} * width_;
  Numbers scores(width_);
  double loss = 0;
  for (std::size_t r = begin; r < end; ++r) {
    const std::uint32_t* features = rows_.row(r);
    std::memcpy(scores.data(), &padded_[intercepts], width_ * sizeof(double));
    for (std::uint32_t c = 0; c < rows_.columns; ++c) {
      add_to(scores.data(), &padded_[std::size_t{features[c]} * width_], width_);
    }
    double own = scores[rows_.labels[r]];
    double top = largest(scores.data(), width_);
    double sum = exponentials(scores.data(), top, width_);
    double weight = rows_.weights[r];
    loss += weight * (log_of(sum) + top - own);
    for (double& score : scores) score *= weight / sum;
    scores[rows_.labels[r]] -= weight;
    add_to(&gradient[intercepts], scores.data(), width_);
    for (std::uint32_t c = 0; c < rows_.columns; ++c) {
      add_to(&gradient[std::size_t{features[c]} * width_], scores.data(), width_);
    }
  }
  losses_[piece] = loss;
}

double LikelihoodPass::operator()(const Numbers& weights, Numbers& gradient) {
  constexpr double never = -1e300;  // classes that only fill up
  std::size_t features = std::size_t{rows_.features} * width_;
  std::copy(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(features),
            padded_.begin());
  double* intercepts = &padded_[features + width_];
  for (std::uint32_t k = 0; k < width_; ++k) {
    intercepts[k] = k < classes_ ? weights[features + k] : never;
  }
  parallel_for(partial_.size(), threads_, [&](std::size_t piece) { run_piece(piece); });
  gradient.assign(features + width_, 0);
  for (const Numbers& part : partial_) {
    for (std::size_t i = 0; i < features; ++i) gradient[i] += part[i];
    for (std::uint32_t k = 0; k < width_; ++k)
      gradient[features + k] += part[features + width_ + k];
  }
  double loss = 0;
  for (double part : losses_) loss += part;
  return loss;
}

}  // namespace rankveil::fit
