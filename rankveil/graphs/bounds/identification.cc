#include "rankveil/graphs/bounds/identification.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rankveil::bound {

// Write p(i | j) for the probability to name i when j is true; sums over i are 1. The guarantee
// says p(i | i) <= e^epsilon p(i | j) + delta. Summed up over i, and averaged over j, with P the
// mean of p(i | i) over m candidates: m P <= P + e^epsilon (1 - P) + (m - 1) delta.
double identification_bound(double epsilon, double delta, std::uint64_t candidates) {
  assert(candidates >= 1 && "there is nobody to name");
  assert(epsilon >= 0 && "no guarantee has an epsilon below 0");
  // Divided by e^epsilon, which may be too large for a number.
  double others = static_cast<double>(candidates - 1) * std::exp(-epsilon);
  return std::min(1.0, (1 + others * std::max(0.0, delta)) / (1 + others));
}

double identification_bound(const Guarantee& guarantee, std::uint64_t candidates) {
  return identification_bound(guarantee.epsilon, guarantee.delta, candidates);
}

double identification_with_known(double rate, double known_share) {
  return known_share + (1 - known_share) * rate;
}

}  // namespace rankveil::bound
