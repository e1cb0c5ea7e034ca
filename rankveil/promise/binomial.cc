#include "rankveil/promise/binomial.h"

#include <cmath>

namespace rankveil {

namespace {

// The continued fraction of the incomplete beta function (Lentz' method). Converges fast for
// x < (a + 1) / (a + b + 2); the caller turns the question around elsewhere.
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  constexpr double enough = 1e-15;
  auto away_from_zero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m < 1'000'000; ++m) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= d * c;
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    double step = d * c;
    fraction *= step;
    if (std::abs(step - 1) < enough) break;
  }
  return fraction;
}

// lgamma itself writes to a global.
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

// The regularised incomplete beta function. REQUIRES: a, b > 0 and x in (0, 1).
double beta_share(double a, double b, double x) {
  double log_front =
      log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x);
  if (x < (a + 1) / (a + b + 2)) return std::exp(log_front) * beta_fraction(a, b, x) / a;
  return 1 - std::exp(log_front) * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double binomial_tail(std::uint64_t trials, double rate, std::uint64_t count) {
  if (count == 0) return 1;
  if (count > trials || rate <= 0) return 0;
  if (rate >= 1) return 1;
  return beta_share(static_cast<double>(count), static_cast<double>(trials - count) + 1, rate);
}

std::uint64_t critical_count(std::uint64_t trials, double rate, double alpha) {
  std::uint64_t low = 0;            // its tail is above alpha, or it is 0
  std::uint64_t high = trials + 1;  // its tail is 0
  while (high - low > 1) {
    std::uint64_t middle = low + (high - low) / 2;
    (binomial_tail(trials, rate, middle) <= alpha ? high : low) = middle;
  }
  return high;
}

std::optional<double> rate_that_reaches(std::uint64_t trials, std::uint64_t count,
                                        double probability) {
  if (count > trials) return std::nullopt;
  double low = 0;
  double high = 1;
  for (int halving = 0; halving < 60; ++halving) {
    double middle = (low + high) / 2;
    (binomial_tail(trials, middle, count) >= probability ? high : low) = middle;
  }
  return high;
}

}  // namespace rankveil
