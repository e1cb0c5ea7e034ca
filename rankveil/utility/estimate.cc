#include "rankveil/utility/estimate.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace rankveil::utility {

namespace {

// For 1 to 10 degrees; the series below is good from there on.
constexpr std::array<double, 10> few_degrees = {12.706205, 4.302653, 3.182446, 2.776445, 2.570582,
                                                2.446912,  2.364624, 2.306004, 2.262157, 2.228139};
constexpr double normal_95 = 1.959963985;

}  // namespace

Json to_json(const Estimate& estimate) {
  return Json()
      .set("mean", estimate.mean)
      .set("margin", estimate.margin ? Json(*estimate.margin) : Json());
}

// Fisher's expansion of Student's quantile around the normal one.
double student_t_95(std::uint64_t degrees) {
  assert(degrees >= 1 && "t needs a degree of freedom");
  if (degrees <= few_degrees.size()) return few_degrees[degrees - 1];
  constexpr double z = normal_95;
  constexpr double z2 = z * z;
  double v = static_cast<double>(degrees);
  double first = z * (z2 + 1) / 4;
  double second = z * ((5 * z2 + 16) * z2 + 3) / 96;
  double third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  double fourth = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return z + (first + (second + (third + fourth / v) / v) / v) / v;
}

Estimate estimate(std::span<const double> values, std::span<const std::uint64_t> counts) {
  assert(values.size() == counts.size() && "one count for each value");
  double weight = 0;
  double total = 0;
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    weight += static_cast<double>(counts[i]);
    total += static_cast<double>(counts[i]) * values[i];
    n += counts[i] > 0 ? 1 : 0;
  }
  if (n == 0) return {};
  Estimate result{total / weight, {}};
  if (n == 1) return result;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double off = static_cast<double>(counts[i]) * (values[i] - result.mean);
    squares += off * off;
  }
  double d = static_cast<double>(n);
  result.margin = student_t_95(n - 1) * std::sqrt(d / (d - 1) * squares) / weight;
  return result;
}

Interval wilson_95(double right, double attempts) {
  if (attempts <= 0) return {};
  assert(right >= 0 && right <= attempts * (1 + 1e-9) &&
         "nobody is right more often than they try");
  double rate = std::min(1.0, right / attempts);
  double z2 = normal_95 * normal_95 / attempts;
  double middle = rate + z2 / 2;
  double half = std::sqrt(z2 * (rate * (1 - rate) + z2 / 4));
  return {std::max(0.0, (middle - half) / (1 + z2)), std::min(1.0, (middle + half) / (1 + z2))};
}

}  // namespace rankveil::utility
