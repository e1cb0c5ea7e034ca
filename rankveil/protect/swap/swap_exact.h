// Whole private vectors trade places among rows that share all public values.
//
// One coin a row for its whole vector; circles (circles.h) among 100 rows or more that are equal in
// every public column. Whatever somebody knows about people, public values say the same of all of
// them.
//
// Promises    a gain of at most 1/l for every property of a row's private vector, however its
//             attributes hang together, with no model of people assumed (T5): against anybody who
//             knows the scheme and every private vector of the class (up to `bayesian-joint`, and
//             `population`). Nothing is ever certain, and nothing is ruled out.
// Not         against `informed`, who holds a belief about one person beyond the class's shares,
// nor
//             against `acquaintance`: who knows one private attribute of a row sees whether its
//             vector is its own. A row that is shown anew speaks twice: release.h keeps rows to
//             what they show.
// Falls back  rows in smaller classes, of persons with several rows, and those that take no part
//             show nothing; they have the shares of all classes. The ladder means nothing here.
// Missing     values travel with their vector.
// Cost        O(n log n); memory for one number a row beside the profiles.
// Source      docs/concepts/swap-exact.md.
#pragma once

#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/task.h"

namespace rankveil {

Result<Protection> protect_swap_exact(const Task& task);

// Classes of rows that take part and are equal in all public columns, 100 or more.
Climb exact_classes(const Task& task);

std::vector<bool> rows_of_swap_exact(const Task& task);

}  // namespace rankveil
