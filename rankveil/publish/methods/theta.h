// theta: greedy deletion, and where it failed, random exchanges among the nearly best.
//
// In each round every exchange of a chosen for an unchosen true positive is tried, and one of those
// within theta of the most precise is taken at random. Ends with a box that meets the demand, or
// after `rounds` (3). Two readings of ours: exchanges that leave fewer than k members are passed
// over, since the most precise boxes are tiny ones and a walk does not come back from them; and
// where one of the nearly best meets the demand, it is taken.
//
// Source      k-ARQ thesis, section 5.2 (the spec's algorithm 7).
#pragma once

#include "rankveil/publish/methods/method.h"

namespace rankveil::publish {

Selected theta(const Round& round);

}  // namespace rankveil::publish
