// How a kernel adds up a query's planes: in which units, and what its sums mean.
//
// A kernel's sums stay below 255 (below 511 where one threshold does for all rows), a query's
// weights may be of any size. So each weight is divided by a unit and rounded to the nearest whole
// number, and what rounding down took away counts as if every row had it:
//
//   units(p) = round(weight(p) / unit)
//   slack    = sum over p of max(0, weight(p) - units(p) x unit)
//   score(r) <= sum(r) x unit + slack.
//
// Planes whose weight rounds to 0 are not read at all. If the common factor of all weights is small
// enough to be the unit, nothing is rounded: then the sums are exact, score = sum x unit, slack 0.
//
// Three planes of weights 10, 7 and 4, and eight rows with every combination of them. If a kernel
// took sums up to 4 only, the unit would be 5: units 2, 1, 1 and slack (7 - 5) = 2.
//
//   row       0   1   2   3   4   5   6   7
//   has       -   4   7  7+4 10 10+4 10+7 all
//   score     0   4   7  11  10  14  17  21
//   sum       0   1   1   2   2   3   3   4
//   bound     2   7   7  12  12  17  17  22     sum x 5 + 2
//
// Rows that may score 11 or more are those with sum >= (11 - 2) / 5, rounded up to 2: row 4 comes
// through as well, and goes when it is scored exactly.
//
// Invariant: sum(r) x unit + slack >= score(r) for every row, and sum_for(floor) is the least sum
// for which sum x unit + slack >= floor. So no row that belongs in an answer is passed over.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rankveil/ranking/scan/plane_program.h"
#include "rankveil/ranking/scan/query_plan.h"

namespace rankveil {

inline constexpr std::int64_t no_floor = -1;  // lower than any score

// score <= sum x unit + slack, where a score is what planes count. If `exact`, score == sum x unit
// and slack == 0. No program: there are no planes, or more than a kernel takes.
struct Summing {
  std::optional<PlaneProgram> program;
  std::int64_t unit = 1;
  std::int64_t slack = 0;
  bool exact = true;                   // sums times `unit` are what the feeds count
  const BoundFeeds* bounds = nullptr;  // the feeds are these

  bool are_scores() const { return exact && bounds == nullptr; }
};
// Sums are exact when no row's is above `max_exact`, at most kernels::largest_wide_sum.
Summing choose_sums(const std::vector<Feed>& feeds, std::int64_t max_exact = kernels::largest_sum);
Summing choose_sums(const BoundFeeds& bounds, std::int64_t max_exact);

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
