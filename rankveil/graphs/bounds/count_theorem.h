// Theorem 1: nobody knows anything. A count of n people, each in it with probability p, is
// published when it is at least k.
#pragma once

#include <cstdint>

#include "rankveil/base/result.h"
#include "rankveil/graphs/bounds/guarantee.h"

namespace rankveil::bound {

struct Count {
  std::uint64_t n = 0;
  double p = 0;
  std::uint64_t k = 2;
};

// Epsilon for a given delta, and delta for a given epsilon.
//
// Sound: the exact figures for the count under the condition that it is at least k, O(n). Refuses a
// delta below the probability of k or of n: what is never seen under the other data set has no
// finite epsilon. Paper: the printed formulas, refused outside of where they mean something.
Result<Guarantee> count_epsilon(const Count& count, double delta, Mode mode);
Result<Guarantee> count_delta(const Count& count, double epsilon, Mode mode);

}  // namespace rankveil::bound
