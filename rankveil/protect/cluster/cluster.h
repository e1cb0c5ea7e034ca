// Rows with the same public values are cut into clusters; every row of a cluster gets its shares.
//
// A cluster has at least l rows, and no value in it is more common than its cap (caps.h). The
// profile of a row is how common each value is in its cluster: nothing tells its members apart.
//
// Promises    a row's value is what somebody guesses with at most the probability of its cap: a
//             gain of at most 1/l (gamma at its default), against anybody who knows the scheme and
//             every private vector of the public group (up to `bayesian-joint`). The same for each
//             declared set of values (sensitive_sets.h). The file does not
//             depend on which member of a cluster has which vector; where another cluster holds
//             one of these vectors too, it is one of several that are equally likely either way.
// Not         against `informed`, nor against somebody who knows a cluster's other members: a
//             cluster of l rows falls to who knows l - 1 of them. Nor for properties that span
//             several attributes, or sets of values that nobody declared: a cluster may hold these
//             more often than the caps of their values say. gamma = infinity does not protect
//             values that more than 1/l of a group have; values that are declared not sensitive are
//             not protected at all, and all others as before. Rows that are clustered anew speak
//             twice (release.h keeps them).
// Falls back  groups below demand.min_group go up the ladder; rows that are left over, or take no
//             part, have the shares of groups like them (silent_groups.h).
// Missing     is one more value: it is capped, and matches nothing.
// Cost        O(n x 48 x attributes), groups in parallel.
// Source      docs/concepts/cluster.md.
#pragma once

#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/task.h"

namespace rankveil {

Result<Protection> protect_cluster(const Task& task);

// The cluster of every row, numbered in the order of their first rows; rows that no group holds
// have Climb::no_group.
struct RowClusters {
  std::vector<std::uint32_t> cluster_of;
  std::uint32_t count = 0;
};
RowClusters cluster_rows(const Task& task, const Climb& climb);

}  // namespace rankveil
