// Ranks of all rows before and after protection: what measuring a scheme's loss costs.
#pragma once

#include "bench/versus/topk/contest_runner.h"
#include "bench/versus/topk/ours.h"

namespace rankveil::versus {

inline constexpr std::size_t rank_queries = 20;

// Two cases, "ranks-competition" and "ranks-ordinal". A timing is the sum over twenty queries on
// both indexes; the first two queries are compared with sorting all rows.
CaseOutcome run_ranks(const Ours& before, const Data& before_data, const Ours& after,
                      const Data& after_data, std::uint32_t rounds, std::uint64_t seed,
                      const Say& say);

}  // namespace rankveil::versus
