// The papers' baseline `random`: l - 1 other values of the domain, uniformly at random.
//
// A row matches its own value and l - 1 decoys drawn for this row and attribute alone; a row
// without a value matches l random values.
//
// Promises    a right guess at most once in l, against `ignorant`; and against who knows the
//             mechanism where all values are equally common.
// Not         against who knows how common values are, or looks at several attributes together.
// Stable      the draws depend on the key, the row's name, the attribute's name and the row's own
//             value; nothing else in the table or the workload moves them.
// Falls back  a domain with fewer than l values: the set is all of it, and is counted as short.
//             Rows that take no part: shares.
// Cost        l - 1 keyed hashes per row and attribute.
// Source      Gao and Zhang 2019, section 6.
#pragma once

#include "rankveil/protect/task.h"

namespace rankveil {

Result<Protection> protect_random_sets(const Task& task);

}  // namespace rankveil
