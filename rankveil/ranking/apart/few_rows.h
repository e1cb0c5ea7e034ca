// Scores of a few rows, in less time than it takes to choose how to scan them.
#pragma once

#include <cstdint>

#include "rankveil/ranking/scan/query_plan.h"

namespace rankveil {

inline constexpr std::uint32_t most_few_rows = kernels::rows_per_line;

// scores[i] is that of the row at position i, with its group's base. REQUIRES: no more than
// most_few_rows rows.
void score_few(const Segment& segment, const QueryPlan& query, std::int64_t* scores);

}  // namespace rankveil
