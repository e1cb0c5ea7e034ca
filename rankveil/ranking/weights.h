// Attribute weights as exact integers, so that scores add up alike in any order and on any CPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/table/schema.h"

namespace rankveil {

// Weight i is units[i] / per_one. Unit and integer weights have per_one = 1; real weights keep
// up to six decimals.
struct Weights {
  std::vector<std::int64_t> units;
  std::int64_t per_one = 1;

  // Refuses weights that are not positive, above 1,000,000, or 0 after rounding to six decimals.
  static Result<Weights> of(std::span<const double> weights);
};

// REQUIRES: weights that Weights::of takes (a policy checks them).
Weights weights_of(const Schema& schema);

}  // namespace rankveil
