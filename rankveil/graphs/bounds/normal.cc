#include "rankveil/graphs/bounds/normal.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include "rankveil/graphs/bounds/bisect.h"

namespace rankveil::bound {

double normal_tail(double x) { return std::erfc(x / std::numbers::sqrt2) / 2; }

double normal_cdf(double x) { return normal_tail(-x); }

double normal_tail_inverse(double probability) {
  assert(probability > 0 && probability < 1 && "a tail has a probability between 0 and 1");
  // erfc is 0 from 39 standard deviations on.
  return least_argument(-39, 39, [&](double x) { return normal_tail(x) <= probability; });
}

double shifted_normal_delta(double epsilon, double shift) {
  assert(shift > 0 && epsilon >= 0 && "a shift, and a factor of at least 1");
  double far = -shift / 2 - epsilon / shift;
  double log_far = std::log(normal_cdf(far));
  // e^epsilon may overflow where the tail it stands before is 0.
  double product = normal_cdf(far) > 0 ? std::exp(epsilon + log_far) : 0;
  return normal_cdf(shift / 2 - epsilon / shift) - product;
}

double shifted_normal_epsilon(double delta, double shift) {
  assert(delta > 0 && delta < 1 && "delta is a probability");
  auto enough = [&](double epsilon) { return shifted_normal_delta(epsilon, shift) <= delta; };
  if (enough(0)) return 0;
  double high = 1;
  while (!enough(high)) high *= 2;
  return least_argument(0, high, enough);
}

}  // namespace rankveil::bound
