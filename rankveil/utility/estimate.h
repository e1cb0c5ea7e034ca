// A mean over queries or a share of attempts, and how far it may be off.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "rankveil/base/json.h"

namespace rankveil::utility {

// mean +- margin is a 95% interval for the mean over more queries of the same kind.
struct Estimate {
  double mean = 0;
  std::optional<double> margin = {};  // none when there are fewer than two queries
};

// An object with `mean` and `margin`, which is null when there is none.
Json to_json(const Estimate& estimate);

// The mean of `values`, each weighing as its count says. The margin is Student's t (values - 1
// degrees of freedom) times the standard error of a weighted mean,
//   se^2 = n / (n - 1) * sum w^2 (x - mean)^2 / (sum w)^2,
// which is s / sqrt(n) for equal counts: the queries are the sample, a query that was asked a
// hundred times is still one of them. Values whose count is 0 are left out. No values: mean 0.
// REQUIRES: as many counts as values.
Estimate estimate(std::span<const double> values, std::span<const std::uint64_t> counts);

// The value that Student's t stays within, on both sides of 0, with probability 0.95. Right to 5
// digits. REQUIRES: degrees >= 1.
double student_t_95(std::uint64_t degrees);

// Where a share lies, by a sample of it.
struct Interval {
  double low = 0;
  double high = 1;
};

// Wilson's 95% interval for a probability that came true `right` times in `attempts`; `right` may
// be an expected number. Never empty at 0 or 1, where the usual margin is. No attempts: [0, 1].
Interval wilson_95(double right, double attempts);

}  // namespace rankveil::utility
