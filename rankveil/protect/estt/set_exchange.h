// Sets of more than two rows: a greedy start, and members that change places.
//
// Which partition is cheapest is a hard problem from three rows a set on; these two come close, and
// cost_bound says how close.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/base/random.h"
#include "rankveil/protect/estt/equivalent_sets.h"

namespace rankveil {

// Fills set after set: the first free row, then each time the free row that fills most of what the
// set still lacks, the first of them on a tie. Looks at the next `look_ahead` free rows only.
EquivalentSets greedy_sets(const CodeRows& rows, std::uint32_t set_size, std::uint32_t l);

// Lets members of two sets change places while that makes the sets cheaper; then also where it
// keeps their cost. Stops at sets.bound. Needs sets.cost and sets.bound, and keeps them right.
void exchange_members(const CodeRows& rows, std::uint32_t l, Rng& rng, EquivalentSets& sets);

}  // namespace rankveil
