// GRASP: a box grown by chance among the best insertions, then improved by exchanges.
//
// Construction draws from the `alpha` best insertions until the box has k members. Local search
// takes the exchange of a chosen for an unchosen true positive that gives the most precise box of
// at least k members, while it gains. Both are repeated, up to `starts` times, until a box meets
// the demand.
//
// Source      k-ARQ thesis, section 5.1 (the spec's algorithm 6); the thesis starts once.
#pragma once

#include "rankveil/publish/methods/method.h"

namespace rankveil::publish {

Selected grasp(const Round& round);

}  // namespace rankveil::publish
