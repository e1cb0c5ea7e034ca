#include "rankveil/protect/groups/signal_profiles.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rankveil {

Profiles with_silent_rows(const SilentGroups& silent, const GroupShares& climb_shares,
                          LevelProfiles signals) {
  if (silent.rows == 0) return signals;
  // Group 0 is that of rows with signals: it adds nothing.
  GroupShares shares(1 + silent.count(), signals.domain_sizes());
  shares.set_in_full(0);
  std::vector<std::uint32_t> group_of(signals.rows(), 0);
  add_silent_groups(silent, climb_shares, 1, group_of, shares);
  return GroupedProfiles{{1, 1}, std::move(signals), std::move(group_of), std::move(shares)};
}

std::uint32_t nearest_level(double strength, std::uint32_t levels) {
  double scaled = std::round(strength * levels);
  return static_cast<std::uint32_t>(std::clamp(scaled, 0.0, static_cast<double>(levels)));
}

}  // namespace rankveil
