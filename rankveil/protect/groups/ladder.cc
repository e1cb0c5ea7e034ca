#include "rankveil/protect/groups/ladder.h"

#include <algorithm>

#include "rankveil/table/row_groups.h"

namespace rankveil {

std::vector<std::vector<AttributeId>> rungs_of(const Task& task) {
  std::vector<AttributeId> all = public_attributes(task.table.schema());
  std::vector<std::vector<AttributeId>> rungs = {all};
  rungs.insert(rungs.end(), task.ladder.begin(), task.ladder.end());
  if (!all.empty()) rungs.emplace_back();
  return rungs;
}

namespace {

// Moves the rows of `left` that have enough like them into groups of `made`.
void climb_rung(const std::vector<std::uint32_t>& group_of, std::uint32_t groups,
                std::uint32_t least, std::uint32_t rung, std::vector<RowId>& left, Climb& made) {
  std::vector<std::uint32_t> sizes(groups, 0);
  for (RowId row : left) ++sizes[group_of[+row]];
  std::vector<std::uint32_t> number(groups, Climb::no_group);
  std::vector<RowId> still_left;
  for (RowId row : left) {
    std::uint32_t group = group_of[+row];
    if (sizes[group] < least) {
      still_left.push_back(row);
      continue;
    }
    if (number[group] == Climb::no_group) {
      number[group] = static_cast<std::uint32_t>(made.groups.size());
      made.groups.emplace_back().reserve(sizes[group]);
      made.rung_of.push_back(rung);
    }
    made.groups[number[group]].push_back(row);
    made.group_of[+row] = number[group];
  }
  left = std::move(still_left);
}

}  // namespace

Climb climb(const Task& task) {
  Climb made;
  made.group_of.assign(task.table.rows(), Climb::no_group);
  std::vector<RowId> left;
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    if (task.takes_part(RowId{row})) left.push_back(RowId{row});
  }
  std::uint32_t rung = 0;
  for (const auto& columns : rungs_of(task)) {
    if (left.empty()) break;
    RowGroups groups = group_rows(task.table, columns);
    climb_rung(groups.group_of, groups.count(), task.demand.min_group, rung++, left, made);
  }
  return made;
}

std::shared_ptr<const Climb> grouping_of(const Task& task) {
  return task.grouping ? task.grouping : std::make_shared<const Climb>(climb(task));
}

std::vector<RungReport> describe(const Task& task, const Climb& climb) {
  std::vector<RungReport> reports;
  for (const auto& columns : rungs_of(task)) {
    RungReport& report = reports.emplace_back();
    for (AttributeId column : columns) report.columns.push_back(task.table.schema()[column].name);
  }
  for (std::size_t g = 0; g < climb.groups.size(); ++g) {
    RungReport& report = reports[climb.rung_of[g]];
    ++report.groups;
    report.rows += climb.groups[g].size();
  }
  return reports;
}

namespace {

std::vector<std::uint32_t> sizes_of_taking_part(const Task& task, const RowGroups& groups) {
  std::vector<std::uint32_t> sizes(groups.count(), 0);
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    if (task.takes_part(RowId{row})) ++sizes[groups.group_of[row]];
  }
  return sizes;
}

// Gives rows that have none yet their group on this rung, if it is large enough; those groups are
// numbered from `next` on. The last rung takes all.
void assign_rung(const Task& task, const RowGroups& groups, bool last, std::uint32_t& next,
                 const std::vector<RowId>& rows, std::vector<std::uint32_t>& group_of,
                 std::vector<std::vector<RowId>>& members, std::vector<std::uint8_t>& counted) {
  std::vector<std::uint32_t> sizes = sizes_of_taking_part(task, groups);
  std::vector<std::uint32_t> number(groups.count(), Climb::no_group);
  for (RowId row : rows) {
    std::uint32_t group = groups.group_of[+row];
    bool large = sizes[group] >= task.demand.min_group;
    if (group_of[+row] != Climb::no_group || !(large || last)) continue;
    if (number[group] == Climb::no_group) {
      number[group] = next++;
      counted.push_back(large ? 1 : 0);
    }
    group_of[+row] = number[group];
  }
  members.resize(next);
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    std::uint32_t group = number[groups.group_of[row]];
    // A table with too few rows speaks for nobody: its last group stays empty.
    if (group != Climb::no_group && counted[group] != 0 && task.takes_part(RowId{row})) {
      members[group].push_back(RowId{row});
    }
  }
}

bool all_have_groups(const std::vector<RowId>& rows, const std::vector<std::uint32_t>& group_of) {
  for (RowId row : rows) {
    if (group_of[+row] == Climb::no_group) return false;
  }
  return true;
}

}  // namespace

NearestGroups nearest_groups(const Task& task, const std::vector<RowId>& rows) {
  NearestGroups made;
  made.group_of.assign(task.table.rows(), Climb::no_group);
  std::vector<std::vector<RowId>> members;
  std::vector<std::uint8_t> counted;
  std::uint32_t next = 0;
  auto rungs = rungs_of(task);
  for (std::size_t i = 0; i < rungs.size() && !all_have_groups(rows, made.group_of); ++i) {
    assign_rung(task, group_rows(task.table, rungs[i]), i + 1 == rungs.size(), next, rows,
                made.group_of, members, counted);
  }
  made.shares = GroupShares(next, task.private_domain_sizes());
  for (std::uint32_t group = 0; group < next; ++group) {
    count_values(task, members[group], group, made.shares);
    made.shares.set_in_full(group);
  }
  return made;
}

void count_values(const Task& task, const std::vector<RowId>& rows, std::uint32_t group,
                  GroupShares& shares) {
  // A group that nobody takes part in has no counts: its shares are 0.
  shares.set_size(group, std::max<std::uint32_t>(1, static_cast<std::uint32_t>(rows.size())));
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    const Column& column = task.private_column(PrivateId{j});
    std::vector<std::uint32_t> counts(column.domain_size(), 0);
    for (RowId row : rows) {
      ValueId value = column.value(row);
      if (value != missing_value) ++counts[+value];
    }
    for (std::uint32_t v = 0; v < counts.size(); ++v) {
      shares.set_count(group, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)}, counts[v]);
    }
  }
}

std::uint64_t unique_rows(const Table& table) {
  std::uint64_t unique = 0;
  for (std::uint32_t size : group_sizes(table, public_attributes(table.schema()))) {
    unique += size == 1 ? 1 : 0;
  }
  return unique;
}

std::uint64_t unique_rows(const Table& table, const std::vector<bool>& wanted) {
  RowGroups groups = group_rows(table, public_attributes(table.schema()));
  std::uint64_t unique = 0;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    bool alone = groups.sizes[groups.group_of[row]] == 1;
    unique += alone && wanted[row] ? 1 : 0;
  }
  return unique;
}

}  // namespace rankveil
