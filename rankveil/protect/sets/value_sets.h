// Sets that depend on a row's own value alone: one per value of the domain, given to all its rows.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/protect/task.h"

namespace rankveil {

// [value] is the set of rows with that value; [domain size] that of rows without one.
using ValueSets = std::vector<std::vector<ValueId>>;

// Every row that takes part gets the set of its value, the others shares. `sets`: one per private
// attribute.
Protection give_value_sets(const Task& task, const std::vector<ValueSets>& sets);

// A report for sets that have `sizes[j]` values in attribute j for every row that takes part, as
// far as the domain goes: sets are short where the domain has fewer than demand.l values.
// `sizes`: [attribute][set size] is the number of rows.
ProtectionReport report_sets(const Task& task,
                             const std::vector<std::vector<std::uint64_t>>& sizes);

}  // namespace rankveil
