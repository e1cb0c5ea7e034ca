#include "rankveil/audit/whole_vectors.h"

#include <algorithm>
#include <cmath>

namespace rankveil::audit {

// A row shows its own vector when it keeps it, or when it is the only one that moves.
SwapOdds swap_odds(double keep, std::uint32_t rows) {
  if (rows <= 1) return {};
  SwapOdds odds;
  odds.own = keep + std::pow(keep, rows - 1.0) * (1 - keep);
  odds.other = (1 - odds.own) / (rows - 1.0);
  return odds;
}

void swap_posterior(const SwapOdds& odds, std::span<const double> shares, std::uint32_t rows,
                    std::uint32_t shown, std::span<double> out) {
  std::copy(shares.begin(), shares.end(), out.begin());
  if (shown >= shares.size()) return;
  for (double& p : out) p *= rows * odds.other;
  out[shown] += odds.own - odds.other;
}

}  // namespace rankveil::audit
