// Shares for rows that have no signal, made so that they tell nothing new.
//
// A share over all like rows would give rows away that are in no group: anyone who subtracts the
// counts of all groups from those of the whole table is left with the few rows that hid in none.
// So a silent row gets the sum of whole groups that are published anyway, and its own values count
// nowhere.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/protect/groups/ladder.h"

namespace rankveil {

// Rows that no group of a climb holds, by the groups they are closest to.
struct SilentGroups {
  // Per silent group: the groups of the climb it sums up. Empty: the climb has none.
  std::vector<std::vector<std::uint32_t>> parts;
  std::vector<std::uint32_t> group_of;  // per row; Climb::no_group for rows that the climb holds
  std::uint64_t rows = 0;

  std::uint32_t count() const { return static_cast<std::uint32_t>(parts.size()); }
};

// For each such row: the finest rung on which whole groups of the climb are like it, and all of
// those. A group that was made on a coarser rung is left out: only part of it would be alike.
SilentGroups silent_groups(const Task& task, const Climb& climb);

// Puts the silent groups behind `groups` others: their numbers, and sums of the climb's shares that
// count in full. `shares` has room for both.
void add_silent_groups(const SilentGroups& silent, const GroupShares& climb_shares,
                       std::uint32_t groups, std::vector<std::uint32_t>& group_of,
                       GroupShares& shares);

// How often rows of each group have each private value; rows with no_group count nowhere. Sizes are
// those of the groups. Attributes are counted in parallel.
void count_groups(const Task& task, const std::vector<std::uint32_t>& group_of,
                  std::uint32_t groups, GroupShares& shares);

}  // namespace rankveil
