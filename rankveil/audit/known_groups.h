// Who an adversary can take for alike: rows by the public values that they were protected by.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/audit/levels.h"
#include "rankveil/protect/task.h"

namespace rankveil::audit {

// Rows that are alike to everybody who does not see their profiles.
struct KnownGroup {
  std::vector<RowId> rows;  // ascending
  bool silent = false;      // they show nothing of their own: profiles are shares of others
  std::uint32_t rung = 0;   // 0: alike in all public columns; more: further up the ladder
  // As in ReleasedGroups; empty: those of its rows.
  std::vector<std::vector<double>> released_shares = {};
  bool whole() const { return released_shares.empty(); }
};

struct KnownGroups {
  std::vector<KnownGroup> groups;
  std::vector<std::uint32_t> group_of;  // per row
};

// By all public values. Rows that take no part in `task` stand apart, as silent ones.
KnownGroups public_groups(const Task& task);
// The same, rows without a signal standing apart as silent ones.
KnownGroups public_groups(const Task& task, const GroupedProfiles& profiles);
// As the ladder puts them: the groups of the climb in its order, silent ones behind them.
KnownGroups climbed_groups(const Task& task);
// As profiles name them: rows that were swapped among each other. Groups whose shares count in full
// are silent.
KnownGroups named_groups(const Task& task, const GroupedProfiles& profiles);

// As they were released.
KnownGroups released_groups(const Task& task, const ReleasedGroups& released);

}  // namespace rankveil::audit
