// Private vectors trade places inside public groups: the scheme to start with.
//
// Every row keeps its private vector with probability 1/l. The others of its group pass theirs
// along one secret random cycle. A row then shows one whole vector, its own or somebody else's, and
// is scored by what that vector means:
//   M(x) = 1/l [x is shown] + (1 - 1/l) share of x in the group
//
// Promises    a gain of at most 1/l for every property of a row's private vector, however its
//             attributes hang together, against anybody who knows the scheme and every private
//             vector of the group (up to `bayesian-joint`, and `population`). Nothing is ever
//             certain, and nothing is ruled out. No scheme with this promise ranks better, up to
//             one part in the group's size. (Exactly: 1/l plus less than 1e-6 in groups of 21.)
// Not         against `informed`, who holds a belief about one person beyond the group's shares. A
//             row that is shown anew speaks twice: release.h keeps rows to what they show.
// Falls back  groups below demand.least_group go up the ladder; rows that are left over, or take no
//             part, show nothing and have the shares of groups like them (silent_groups.h).
// Missing     values travel with their vector.
// Cost        O(n log n); memory for one number a row beside the profiles.
// Source      docs/concepts/swap.md.
#pragma once

#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/protect/ladder.h"
#include "rankveil/protect/task.h"

namespace rankveil {

// Refuses l above 255: the profile's steps would not fit.
Result<Protection> protect_swap(const Task& task);

// The row whose vector each row shows; a row that no group holds stands for itself. It depends on
// names, groups and key, never on private values.
std::vector<RowId> swapped_rows(const Task& task, const Climb& climb);

}  // namespace rankveil
