// Makes a pairing cheaper by letting two pairs swap ends.
//
// What can be gained is known beforehand. Take an attribute in which more than half of the g rows
// have one value a. Of s pairs, let n2 have a twice, and n0 not at all; the number of a's is
// s + n2 - n0, so n2 exceeds n0 by a fixed number, which no pairing avoids. An equal pair of a's is
// therefore no fault there; a pair without a is one (and another if its values are equal). In other
// attributes equal values are the faults. Counted like this, the faults of all pairs are exactly
// what the pairing costs above cost_bound, and only pairs with faults need to look for a swap.
//
// First every swap that takes faults away, until few are found; then also swaps that keep their
// number, which carry faults through the group until they cancel out. Stops without faults.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/base/random.h"
#include "rankveil/protect/estt/code_rows.h"

namespace rankveil {

// `pairs`: partners side by side. An index of rows.size() stands for nobody, with whom nobody
// shares a value: the partner of a row that is left over. The pairing never gets more costly.
void exchange_pairs(const CodeRows& rows, Rng& rng, std::vector<std::uint32_t>& pairs);

}  // namespace rankveil
