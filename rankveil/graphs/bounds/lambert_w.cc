#include "rankveil/graphs/bounds/lambert_w.h"

#include <cassert>
#include <cmath>

namespace rankveil::bound {

namespace {

double first_guess(double x) {
  if (x < 3) return std::log1p(x);
  double log_x = std::log(x);
  return log_x - std::log(log_x);
}

// Halley's step on w + ln w = ln x, which does not overflow for large x.
double improved(double w, double x) {
  double off = w + std::log(w) - std::log(x);
  double slope = 1 + 1 / w;
  double bend = -1 / (w * w);
  return w - 2 * off * slope / (2 * slope * slope - off * bend);
}

}  // namespace

double lambert_w(double x) {
  assert(x >= 0 && "the principal branch is taken at no negative number");
  if (x == 0) return 0;
  double w = first_guess(x);
  for (int step = 0; step < 50; ++step) {
    double next = improved(w, x);
    if (!(next > 0)) next = w / 2;
    if (std::abs(next - w) <= 1e-16 * next) return next;
    w = next;
  }
  return w;
}

}  // namespace rankveil::bound
