// Equivalent sets with true tuples (ESTT).
//
// Rows with the same public values are cut into sets of k (demand.set_size; l by default), such
// that every private attribute has at least l different values in every set; the ranking scores the
// mean of a set's members for each of them. Where a set lacks values, some members' values are
// replaced: obfuscated.
//
// Promises    a right guess at most once in l, against those who only query.
// Not         against those who know some of the values in a group, or the scheme: an obfuscated
//             value can be told from what remains.
// Pairing     demand.pairing; see pairing.h. report.obfuscation_bound says how many values must be
//             replaced at least; report.solved counts public groups, report.proven those that are
//             known to be cut as cheaply as can be.
// Missing     a missing value differs from all others and adds nothing to the profile.
// Small sets  a group of fewer than l rows gets members that nobody is, as many as it lacks. They
//             count as obfuscated values.
// Stable      the order rows are taken in, and all draws, come from keyed numbers of rows' names,
// so
//             the result does not depend on where a row stands in the table. It does depend on who
//             else is in the group: a rebuild after changes must keep the sets it released.
// Cost        0.1 to 0.3 s for a group of 300,000 on two cores; matching 0.1 s for one of 500.
// Source      Equivalent sets, algorithm 2 and Sorted Weight; optimal pairs by matching, which the
//             paper takes to be out of reach.
#pragma once

#include "rankveil/protect/task.h"

namespace rankveil {

// REQUIRES: check_demand.
Result<Protection> protect_estt(const Task& task);

}  // namespace rankveil
