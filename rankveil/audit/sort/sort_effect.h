// Whether the order follows the column that is asked for: rows of one value stand elsewhere in the
// list than rows of another, and on the other side of it when the direction is turned.
//
// Test   for every value the mean place of its rows in either direction; their product, summed, is
//        negative where the order is turned. Values are dealt out anew for chance: a service that
//        orders by something else, or by nothing, gives places that do not depend on the value.
// Errs   in at most 0.1% of columns that the order does not follow it says that it does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/audit/effect/effect.h"
#include "rankveil/audit/sort/sort_arena.h"

namespace rankveil::audit {

// Lists of the same rows, asked for several times.
struct SortLists {
  std::vector<OrderedRows> up = {}, down = {};
  std::string doubt =
      {};  // the target refuses them, and why that says nothing; then there are none
};

Effect effect_of_order(const Table& truth, AttributeId attribute, const SortLists& lists,
                       std::uint64_t seed);

}  // namespace rankveil::audit
