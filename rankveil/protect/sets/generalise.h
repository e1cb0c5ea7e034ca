// Coarser values: a row matches the whole block of neighbouring values its own one is in.
//
// The domain, in its order, is cut into blocks of l values; the last block takes the rest, so that
// every block has at least l. Rows without a value belong to the last block.
//
// Promises    a right guess at most once in l, against `ignorant` only.
// Not         against who knows how common the values of a block are.
// Falls back  a domain with fewer than l values is one block, counted as short. Rows that take no
//             part: shares.
// Cost        linear.
// Source      the usual yardstick of anonymised tables.
#pragma once

#include <vector>

#include "rankveil/protect/sets/value_sets.h"
#include "rankveil/protect/task.h"

namespace rankveil {

Result<Protection> protect_generalise(const Task& task);

// The blocks of a domain as the sets of its values.
ValueSets blocks_of(std::uint32_t domain, std::uint32_t l);

}  // namespace rankveil
