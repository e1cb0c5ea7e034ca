// Public groups, and the ladder of coarser ones for rows whose own group is too small to hide in.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rankveil/protect/task.h"

namespace rankveil {

// All public columns, the task's coarser lists, and no column at all.
std::vector<std::vector<AttributeId>> rungs_of(const Task& task);

// On each rung, rows that are still left and have at least demand.min_group - 1 others like them
// form a group.
Climb climb(const Task& task);

// The task's own, or that climb.
std::shared_ptr<const Climb> grouping_of(const Task& task);

std::vector<RungReport> describe(const Task& task, const Climb& climb);

// Groups for rows without a signal: for each row the finest rung on which at least
// demand.min_group rows that take part are like it. Shares count the rows that take part, and
// count in full. In a table with fewer rows than that, they are all 0.
struct NearestGroups {
  std::vector<std::uint32_t> group_of;  // per row; no_group for rows not asked for
  GroupShares shares;

  std::uint32_t count() const { return shares.groups(); }
};
NearestGroups nearest_groups(const Task& task, const std::vector<RowId>& rows);

// Counts of every private value among `rows`.
void count_values(const Task& task, const std::vector<RowId>& rows, std::uint32_t group,
                  GroupShares& shares);

// Rows of the table whose public values nobody shares.
std::uint64_t unique_rows(const Table& table);
// The rows among them that are `wanted`.
std::uint64_t unique_rows(const Table& table, const std::vector<bool>& wanted);

}  // namespace rankveil
