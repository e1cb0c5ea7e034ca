// Posteriors of schemes that treat private vectors as wholes, in closed form.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/audit/profile_kinds.h"

namespace rankveil::audit {

// swap, in a group of n rows of which each keeps its vector with probability `keep`: a row that
// shows a vector has it itself with `own`, and each of the n - 1 others' vectors with `other`
// (docs/concepts/swap.md). Exact, whatever else is shown, and for several rows with equal vectors.
struct SwapOdds {
  double own = 1;
  double other = 0;
};
SwapOdds swap_odds(double keep, std::uint32_t rows);

// The posterior of one attribute, given how many rows of the group have each value and which value
// the row shows. `shown` beyond the end: the group has no such value, and nothing is learnt.
void swap_posterior(const SwapOdds& odds, std::span<const double> shares, std::uint32_t rows,
                    std::uint32_t shown, std::span<double> out);

}  // namespace rankveil::audit
