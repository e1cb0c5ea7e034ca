// theta: greedy deletion, and where it failed, random steps among the nearly best.
//
// In each round every exchange of a chosen for an unchosen true positive is tried, and one of those
// within theta of the most precise is taken at random. Ends with a box that meets the demand, or
// after `rounds` (3). Two readings of ours: exchanges that leave fewer than k members are passed
// over, since the most precise boxes are tiny ones and a walk does not come back from them; and
// where one of the nearly best meets the demand, it is taken.
//
// theta_rapid has single insertions and single deletions in place of exchanges. There are as many
// of them as true positives, where exchanges are a product; an exchange takes two rounds, so there
// are twice as many (6).
//
// Source      k-ARQ thesis, sections 5.2 and 5.3 (the spec's algorithms 7 and 8).
#pragma once

#include "rankveil/publish/methods/method.h"

namespace rankveil::publish {

Selected theta(const Round& round);
Selected theta_rapid(const Round& round);

}  // namespace rankveil::publish
