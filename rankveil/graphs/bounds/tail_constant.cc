#include "rankveil/graphs/bounds/tail_constant.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include "rankveil/graphs/bounds/bisect.h"
#include "rankveil/graphs/bounds/lambert_w.h"

namespace rankveil::bound {

double tail_constant(double delta1) {
  assert(delta1 > 0 && "a tail has a probability above 0");
  // With t = c - 1/(2c) the condition is ln t + t^2/2 > -ln(sqrt(2 pi) delta1): t^2 is Lambert's W.
  double t_squared = lambert_w(1 / (2 * std::numbers::pi * delta1 * delta1));
  return (std::sqrt(t_squared) + std::sqrt(t_squared + 2)) / 2;
}

double tail_constant_by_bisection(double delta1) {
  double wanted = -std::log(std::sqrt(2 * std::numbers::pi) * delta1);
  auto holds = [&](double c) {
    double square = c * c;
    return std::log(c - 1 / (2 * c)) + (4 * square * square - 4 * square + 1) / (8 * square) >=
           wanted;
  };
  double high = 2;
  while (!holds(high)) high *= 2;
  return least_argument(std::numbers::sqrt2 / 2, high, holds);
}

double crowd_constant(double k, double s, double eps1) { return std::sqrt(eps1 * (k / s + 0.5)); }

double crowd_constant_of_itself(double k, double s, double sigma) { return (k + s / 2) / sigma; }

}  // namespace rankveil::bound
