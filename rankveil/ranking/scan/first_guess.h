// Where a scan may start: a score that is likely a little below the k-th best, guessed from a
// sample.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/ranking/scan/query_plan.h"
#include "rankveil/ranking/scan/summing.h"

namespace rankveil {

struct Guess {
  std::int64_t likely = no_floor;    // two or three times k rows should reach it
  std::int64_t cautious = no_floor;  // lower, in case they do not
  // About how many rows reach the likely one by their sums, where these bound strengths.
  std::uint64_t reaching = UINT64_MAX;
};

// The numbers of `count` lines, spread evenly over `lines`; their planes are prefetched.
std::vector<std::uint32_t> sampled_lines(const kernels::Program& program, std::uint32_t count,
                                         std::uint32_t lines);

Guess guess_floor(const SegmentPlan& plan, const Summing& sums, std::uint32_t k);

}  // namespace rankveil
