// How often somebody may be identified, when a guarantee (epsilon, delta) holds.
//
// An adversary knows that a person's data is one of `candidates` alternatives, each as likely as
// another, sees the output and names one. If for every two alternatives and every set of outputs
//   Pr[output in B | one] <= e^epsilon Pr[output in B | the other] + delta,
// it is right with probability (e^epsilon + (candidates - 1) delta) / (e^epsilon + candidates - 1)
// at most: one in `candidates` when both are 0, and no more than 1. Randomised response reaches it.
#pragma once

#include <cstdint>

#include "rankveil/graphs/bounds/guarantee.h"

namespace rankveil::bound {

// REQUIRES: at least one candidate, epsilon not below 0. A delta below 0 counts as 0.
double identification_bound(double epsilon, double delta, std::uint64_t candidates);
double identification_bound(const Guarantee& guarantee, std::uint64_t candidates);

// The same over all people, when the data of a share of them is known: no guarantee covers those.
double identification_with_known(double rate, double known_share);

}  // namespace rankveil::bound
