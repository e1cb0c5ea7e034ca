// The inner loop of a pass, compiled once for any processor and once for AVX2. Both give the same
// bits: each number of a vector is worked on by itself.
#pragma once

#include <algorithm>
#include <cstring>

#include "rankveil/base/fit/piece_task.h"
#include "rankveil/base/fit/portable_math.h"

namespace rankveil::fit {

namespace {

inline Four load(const double* from) {
  Four four_numbers;
  std::memcpy(&four_numbers, from, sizeof(four_numbers));
  return four_numbers;
}

inline void store(double* to, Four numbers) { std::memcpy(to, &numbers, sizeof(numbers)); }

inline void add_to(double* sums, const double* more, std::uint32_t width) {
  for (std::uint32_t k = 0; k < width; k += four) store(sums + k, load(sums + k) + load(more + k));
}

inline double largest_of(const double* numbers, std::uint32_t width) {
  Four best = load(numbers);
  for (std::uint32_t k = four; k < width; k += four) {
    Four next = load(numbers + k);
    best = next > best ? next : best;
  }
  return std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
}

// scores become exp(score - top); returns their sum.
inline double exponentials(double* scores, double top, std::uint32_t width) {
  Four sum = {0, 0, 0, 0};
  for (std::uint32_t k = 0; k < width; k += four) {
    Four power = exp_of(load(scores + k) - top);
    store(scores + k, power);
    sum += power;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

inline double pass_over(const PieceTask& task) {
  const std::uint32_t width = task.width;
  const double* intercepts = task.weights + std::size_t{task.none + 1} * width;
  double* of_intercepts = task.gradient + std::size_t{task.none + 1} * width;
  double* scores = task.scores;
  double loss = 0;
  for (std::size_t r = task.begin; r < task.end; ++r) {
    const std::uint32_t* features = task.features + r * task.columns;
    std::memcpy(scores, intercepts, width * sizeof(double));
    for (std::uint32_t c = 0; c < task.columns; ++c) {
      add_to(scores, task.weights + std::size_t{features[c]} * width, width);
    }
    double own = scores[task.labels[r]];
    double top = largest_of(scores, width);
    double sum = exponentials(scores, top, width);
    double weight = task.row_weights[r];
    loss += weight * (log_of(sum) + top - own);
    double scale = weight / sum;
    for (std::uint32_t k = 0; k < width; k += four) store(scores + k, load(scores + k) * scale);
    scores[task.labels[r]] -= weight;
    add_to(of_intercepts, scores, width);
    for (std::uint32_t c = 0; c < task.columns; ++c) {
      add_to(task.gradient + std::size_t{features[c]} * width, scores, width);
    }
  }
  return loss;
}

}  // namespace

}  // namespace rankveil::fit
