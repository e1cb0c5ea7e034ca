#include "rankveil/audit/known_groups.h"

#include <algorithm>
#include <map>

#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/groups/silent_groups.h"
#include "rankveil/table/row_groups.h"

namespace rankveil::audit {

namespace {

// Rows by number, silent ones apart; numbers nobody has make no group.
KnownGroups groups_by(const std::vector<std::uint32_t>& number_of,
                      const std::vector<std::uint8_t>& silent) {
  KnownGroups made;
  std::map<std::pair<bool, std::uint32_t>, std::uint32_t> known;
  for (std::size_t row = 0; row < number_of.size(); ++row) {
    known.try_emplace({silent[row] != 0, number_of[row]}, 0);
  }
  for (auto& [key, group] : known) {
    group = static_cast<std::uint32_t>(made.groups.size());
    made.groups.emplace_back().silent = key.first;
  }
  for (std::uint32_t row = 0; row < number_of.size(); ++row) {
    std::uint32_t group = known[{silent[row] != 0, number_of[row]}];
    made.group_of.push_back(group);
    made.groups[group].rows.push_back(RowId{row});
  }
  return made;
}

std::vector<std::uint8_t> not_taking_part(const Task& task) {
  std::vector<std::uint8_t> silent(task.table.rows(), 0);
  for (std::uint32_t row = 0; row < silent.size(); ++row) {
    silent[row] = task.takes_part(RowId{row}) ? 0 : 1;
  }
  return silent;
}

}  // namespace

KnownGroups public_groups(const Task& task) {
  RowGroups alike = group_rows(task.table, rungs_of(task).front());
  return groups_by(alike.group_of, not_taking_part(task));
}

KnownGroups public_groups(const Task& task, const GroupedProfiles& profiles) {
  std::vector<std::uint8_t> silent;
  for (std::uint32_t group : profiles.group_of) silent.push_back(profiles.shares.in_full(group));
  return groups_by(group_rows(task.table, rungs_of(task).front()).group_of, silent);
}

namespace {

// Per row, the group of the climb that it is in or, in none, like.
std::vector<std::uint32_t> groups_like(const Task& task, const Climb& made) {
  SilentGroups silent = silent_groups(task, made);
  std::vector<std::uint32_t> number_of = made.group_of;
  for (std::size_t row = 0; row < number_of.size(); ++row) {
    if (number_of[row] == Climb::no_group) number_of[row] = silent.group_of[row];
  }
  return number_of;
}

}  // namespace

KnownGroups climbed_groups(const Task& task) {
  Climb made = climb(task);
  std::vector<std::uint32_t> number_of = groups_like(task, made);
  std::vector<std::uint8_t> is_silent;
  for (std::uint32_t group : made.group_of) is_silent.push_back(group == Climb::no_group ? 1 : 0);
  KnownGroups groups = groups_by(number_of, is_silent);
  for (std::size_t g = 0; g < made.groups.size(); ++g) groups.groups[g].rung = made.rung_of[g];
  return groups;
}

namespace {

// Which rung a group came from is not said: it is the first on which its rows are alike.
void find_rungs(const Task& task, KnownGroups& groups) {
  std::vector<KnownGroup*> left;
  for (KnownGroup& group : groups.groups) left.push_back(&group);
  auto rungs = rungs_of(task);
  for (std::uint32_t rung = 0; rung < rungs.size() && !left.empty(); ++rung) {
    RowGroups alike = group_rows(task.table, rungs[rung]);
    std::erase_if(left, [&](KnownGroup* group) {
      group->rung = rung;
      std::uint32_t first = alike.group_of[+group->rows.front()];
      return std::ranges::all_of(group->rows,
                                 [&](RowId row) { return alike.group_of[+row] == first; });
    });
  }
}

}  // namespace

KnownGroups named_groups(const Task& task, const GroupedProfiles& profiles) {
  std::vector<std::uint8_t> silent;
  for (std::uint32_t group : profiles.group_of) silent.push_back(profiles.shares.in_full(group));
  KnownGroups groups = groups_by(profiles.group_of, silent);
  find_rungs(task, groups);
  return groups;
}

KnownGroups released_groups(const Task& task, const ReleasedGroups& released) {
  std::vector<std::uint32_t> number_of = groups_like(task, climb(task));
  std::vector<std::uint8_t> silent;
  for (std::size_t row = 0; row < number_of.size(); ++row) {
    silent.push_back(released.group_of[row] == ReleasedGroups::nobody ? 1 : 0);
    if (silent.back() == 0) number_of[row] = released.group_of[row];
  }
  KnownGroups groups = groups_by(number_of, silent);
  find_rungs(task, groups);
  for (KnownGroup& group : groups.groups) {
    auto left = released.shares.find(released.group_of[+group.rows.front()]);
    if (left != released.shares.end()) group.released_shares = left->second;
  }
  return groups;
}

}  // namespace rankveil::audit
