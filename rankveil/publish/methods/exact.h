// Exact: of all boxes that meet the demand, the one with the most true positives; of equal ones,
// the most precise.
//
// Every box that counts is the one around some true positives. The search goes from the box around
// all of them inward, one edge after the other, and looks at every box that still holds as many
// true positives as the best one found (at first, as many as k members need).
//
// Promises    no box meets the demand, or none has more true positives. Not when it gave up.
// Cost        exponential; the boxes it looks at number some 20,000 for a top of 20 in five
//             dimensions at a precision of 0.7. `node_budget` bounds it.
#pragma once

#include "rankveil/publish/methods/method.h"

namespace rankveil::publish {

Selected exact(const Round& round);

}  // namespace rankveil::publish
