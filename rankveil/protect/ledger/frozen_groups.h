// Shares of public groups as they were when their rows were released: what rows are served that
// show nothing, because they are new, or changed.
//
// A group is written into the ledger when its rows are released, and never changes. Whole batches
// come in beside it and nothing else, so no single row that comes, changes or goes moves a share.
// Counts come from values, not from profiles: cluster shares and signals differ from group shares.
#pragma once

#include <functional>
#include <vector>

#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/ledger/ledger.h"

namespace rankveil {

// The value that a row counts with: its own, or what it says.
using CountedValue = std::function<ValueId(PrivateId attribute, RowId row)>;

// Begins a release: `shown` rows make the shares of the whole table, those of the climb their
// groups'. Fewer than demand.min_group rows must not speak for all: nothing is counted then.
// Without a climb there are no groups: shares of a group are more than a scheme says that shows
// none.
void freeze_shares(const Task& task, const Climb* climb, const std::vector<bool>& shown,
                   const CountedValue& value, Ledger& ledger);

// Adds the groups of a batch, numbered from `first` on. A ledger that was begun without groups
// stays so.
void freeze_batch(const Task& task, const Climb& climb, const CountedValue& value,
                  std::uint32_t first, Ledger& ledger);

// For each of `rows`: the finest rung on which frozen groups are like it, and the sum of those (as
// silent_groups.h has it for a first release); where the ledger has no groups, the whole table.
// Shares count in full. `everybody`: the shares of the whole table.
struct FrozenShares {
  std::vector<std::uint32_t> group_of;  // per row; Climb::no_group for rows not asked for
  GroupShares shares;
  GroupShares everybody;  // one group
};
FrozenShares frozen_shares(const Task& task, const Ledger& ledger, const std::vector<RowId>& rows);

}  // namespace rankveil
