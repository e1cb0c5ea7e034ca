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

  // The units of all weights add up to at most this, so that no score overflows: not with 255
  // levels, nor with a set of 65,535 values.
  static constexpr std::int64_t largest_total = std::int64_t{1} << 36;

  // Refuses weights that are not positive, above 1,000,000, or 0 after rounding to six decimals,
  // and weights that together need more than `largest_total` units.
  static Result<Weights> of(std::span<const double> weights);
};

// Whether the weights of a schema work together, or why not.
Status check_weights(const Schema& schema);
// REQUIRES: check_weights(schema).
Weights weights_of(const Schema& schema);

}  // namespace rankveil
