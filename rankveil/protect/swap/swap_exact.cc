#include "rankveil/protect/swap/swap_exact.h"

#include "rankveil/protect/groups/group_sizes.h"
#include "rankveil/protect/swap/circles.h"

namespace rankveil {

namespace {

// Rows of persons who have no other.
std::vector<std::uint8_t> single_rows(const Task& task) {
  std::vector<std::uint8_t> single(task.table.rows(), 1);
  if (task.person_of.empty()) return single;
  std::vector<std::uint32_t> rows(task.person_names.size(), 0);
  for (std::uint32_t person : task.person_of) ++rows[person];
  for (std::uint32_t row = 0; row < single.size(); ++row) {
    single[row] = rows[task.person_of[row]] == 1 ? 1 : 0;
  }
  return single;
}

// Only all public columns stand before no column at all, which is no class.
void drop_coarse_groups(Climb& climb) {
  while (!climb.groups.empty() && climb.rung_of.back() > 0) {
    for (RowId row : climb.groups.back()) climb.group_of[+row] = Climb::no_group;
    climb.groups.pop_back();
    climb.rung_of.pop_back();
  }
}

Task without_ladder(const Task& task) {
  Task same = task;
  same.ladder.clear();
  return same;
}

}  // namespace

Climb exact_classes(const Task& task) {
  Demand demand = task.demand;
  demand.min_group = GroupSizes::in_use().exact_class;
  std::vector<std::uint8_t> single = single_rows(task);
  for (std::uint32_t row = 0; row < single.size(); ++row) {
    single[row] = single[row] != 0 && task.takes_part(RowId{row}) ? 1 : 0;
  }
  Task strict{.table = task.table,
              .workload = task.workload,
              .demand = demand,
              .key = task.key,
              .taking_part = std::move(single)};
  Climb made = climb(strict);
  if (task.table.schema().public_count() > 0) drop_coarse_groups(made);
  return made;
}

Result<Protection> protect_swap_exact(const Task& task) {
  report(task.progress, "forming groups", 0);
  auto made = task.grouping ? protect_circles(without_ladder(task), *task.grouping)
                            : protect_circles(without_ladder(task), exact_classes(task));
  if (made) made->report.rows_in_classes = task.table.rows() - made->report.rows_without_signal;
  return made;
}

}  // namespace rankveil
