// Finds the lowest point of a smooth convex function in few looks at it: L-BFGS on top of a guess
// of the curvature.
#pragma once

#include <cstdint>
#include <functional>

#include "rankveil/base/fit/likelihood_pass.h"

namespace rankveil::fit {

struct Slope {
  // The value at a point; fills its gradient.
  std::function<double(const Numbers& at, Numbers& gradient)> look;
  // Divides a gradient by the curvature, about.
  std::function<void(Numbers& gradient)> divide;
};

// From `at` down, until a step gains less than `enough` twice, or after `max_steps`. Returns the
// value there.
double descend(const Slope& slope, Numbers& at, double enough, std::uint32_t max_steps);

}  // namespace rankveil::fit
