// How a kernel adds up a query's planes: with which weights, and what its sums mean.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rankveil/ranking/scan/plane_program.h"
#include "rankveil/ranking/scan/query_plan.h"

namespace rankveil {

inline constexpr std::int64_t no_floor = -1;  // lower than any score

// The kernel's sums times `unit`, plus `slack`, are upper bounds of what planes count; or that
// itself, and there is no slack. No program: there are no planes, or more than a kernel takes.
struct Summing {
  std::optional<PlaneProgram> program;
  std::int64_t unit = 1;
  std::int64_t slack = 0;
  bool exact = true;                   // sums times `unit` are what the feeds count
  const BoundFeeds* bounds = nullptr;  // the feeds are these

  bool are_scores() const { return exact && bounds == nullptr; }
};
// Sums are exact when no row's is above `most_exact`, at most kernels::largest_wide_sum; that many
// only where weights allow it.
Summing choose_sums(const std::vector<Feed>& feeds, std::int64_t most_exact = kernels::largest_sum);
Summing choose_sums(const BoundFeeds& bounds, std::int64_t most_exact);

// The least sum that can mean `score` or more; one more than the largest when none can.
std::uint16_t sum_for(std::int64_t score, const Summing& sums);

// plan.planes_score(position) of a row with this sum.
std::int64_t score_of(const Summing& sums, const SegmentPlan& plan, std::uint32_t position,
                      std::uint32_t sum);

// By place: no row there has a larger sum. Empty where they do not fit a byte.
std::vector<std::uint8_t> reach_sums(const SegmentPlan& plan, const GroupReach& reach,
                                     const Summing& sums);

// Sums of other planes with the same weights, in the units of `sums`.
std::optional<PlaneProgram> same_sums(const Summing& sums, const std::vector<Feed>& feeds);

}  // namespace rankveil
