// Private vectors trade places inside given groups.
//
// Every row keeps its private vector with probability 1/l. The others of its group pass theirs
// along one secret random cycle. A row then shows one whole vector, its own or somebody else's, and
// is scored by what that vector means:
//   M(x) = 1/l [x is shown] + (1 - 1/l) share of x in the group
// What that promises depends on the groups: see swap_exact.h. Rows of no group show nothing and
// have the shares of groups like them (silent_groups.h). Values that are missing travel, too.
// Cost: O(n log n); memory for one number a row beside the profiles.
#pragma once

#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/task.h"

namespace rankveil {

// Refuses l above 255: the profile's steps would not fit.
Result<Protection> protect_circles(const Task& task, const Climb& groups);

// The row whose vector each row shows; a row that no group holds stands for itself. It depends on
// names, groups and key, never on private values.
std::vector<RowId> swapped_rows(const Task& task, const Climb& climb);

}  // namespace rankveil
