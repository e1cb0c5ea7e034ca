// Profiles of rows that have a signal in every attribute, or in none.
#pragma once

#include "rankveil/protect/groups/silent_groups.h"

namespace rankveil {

// Rows of `silent` get their shares, all others what `signals` holds. `climb_shares`: counts of the
// climb's groups.
Profiles with_silent_rows(const SilentGroups& silent, const GroupShares& climb_shares,
                          LevelProfiles signals);

// The multiple of 1/levels that is nearest to `strength`.
std::uint32_t nearest_level(double strength, std::uint32_t levels);

}  // namespace rankveil
