// How likely a random part of a population has so many of a kind: exact, for tests of chance.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace rankveil {

// The probability that at least `count` of `drawn` have the mark, where `marked` of `all` have it
// and all choices are equally likely. Right to about 1e-10. REQUIRES: marked, drawn <= all.
double hypergeometric_tail(std::uint64_t all, std::uint64_t marked, std::uint64_t drawn,
                           std::uint64_t count);

// Two groups of people, by kind: {how many of the first, how many of the second}. At most how
// likely it is that kind for kind they agree so well, if who is in which group is left to chance:
// that the sum over kinds of the smaller number is as large. A bound that is above the truth by
// little where that is small. O(people + kinds).
double agreement_tail(std::span<const std::pair<std::uint64_t, std::uint64_t>> kinds);

}  // namespace rankveil
