// Theorems 2 to 5: a sum over people is published, and what the adversary does not know about them
// hides the one it is after.
//
//   independent   Theorem 2, and 4 when some people's data is known: people do not depend on each
//                 other.
//   dependent     Theorem 3, and 5 with known people: everybody depends on a few others at most.
//
// Which people are known is in the Sums (crowd.h): they leave the known ones out.
#pragma once

#include <cstdint>
#include <optional>

#include "rankveil/base/result.h"
#include "rankveil/graphs/bounds/crowd.h"
#include "rankveil/graphs/bounds/guarantee.h"

namespace rankveil::bound {

struct Terms {
  double s = 1;  // how far one person can move the sum
  // The part of delta that pays for the tail of a normal variable. None: 1 / sqrt(people).
  std::optional<double> delta1 = {};
  // None: the least that delta1 allows. Given: delta follows from it.
  std::optional<double> epsilon = {};

  // Paper alone.
  std::uint64_t k = 2;
  std::optional<double> eps1 = 0.1;  // none: taken for the epsilon that comes out
  // The third moment is divided by the sum of variance^(3/2), as printed, or by (sum of
  // variance)^(3/2), as the lemma behind it has it.
  bool denominator_outside = false;

  // Sound alone.
  bool half_lines = false;  // only outputs "at most" or "at least" something; else all intervals
  bool by_tail = false;     // epsilon by the simpler bound on the tail, never smaller
};

Result<Guarantee> independent_bound(const Sums& sums, const Terms& terms, Mode mode);

struct Dependence {
  // Paper: a share of all people, below 1, as printed.
  double share = 0;
  // Sound: the most people that anybody depends on, oneself included. 1: independent.
  std::uint64_t neighbourhood = 1;
  // Standard deviation of the whole sum. None: as if people were independent.
  std::optional<double> sigma = {};
};

Result<Guarantee> dependent_bound(const Sums& sums, const Dependence& dependence,
                                  const Terms& terms, Mode mode);

// How far the law of the sum may be from a normal one, as the dependent bound counts: in
// Wasserstein's and in Kolmogorov's distance.
struct NormalDistance {
  double wasserstein = 0;
  double kolmogorov = 0;
};
NormalDistance distance_from_normal(const Sums& sums, std::uint64_t neighbourhood, double sigma);

}  // namespace rankveil::bound
