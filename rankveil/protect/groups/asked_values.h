// How often a workload asks for each private value.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/protect/task.h"

namespace rankveil {

// [attribute][value], queries counted as often as they were asked; an IN query counts for each of
// its values.
std::vector<std::vector<std::uint64_t>> asked_values(const Schema& schema,
                                                     const Workload& workload);

}  // namespace rankveil
