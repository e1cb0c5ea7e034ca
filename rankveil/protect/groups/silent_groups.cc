#include "rankveil/protect/groups/silent_groups.h"

#include <algorithm>

#include "rankveil/base/parallel.h"
#include "rankveil/table/row_groups.h"

namespace rankveil {

namespace {

// Groups of the climb made on this rung or a finer one, by the number of the public group that
// holds them.
std::vector<std::vector<std::uint32_t>> whole_groups(const Climb& climb, const RowGroups& alike,
                                                     std::uint32_t rung) {
  std::vector<std::vector<std::uint32_t>> whole(alike.count());
  for (std::uint32_t g = 0; g < climb.groups.size(); ++g) {
    if (climb.rung_of[g] > rung) continue;
    whole[alike.group_of[+climb.groups[g].front()]].push_back(g);
  }
  return whole;
}

// Places the rows of `left` that have whole groups like them; the last rung takes all.
void place_on_rung(const RowGroups& alike, const std::vector<std::vector<std::uint32_t>>& whole,
                   bool last, std::vector<RowId>& left, SilentGroups& made) {
  std::vector<std::uint32_t> number(alike.count(), Climb::no_group);
  std::vector<RowId> still_left;
  for (RowId row : left) {
    std::uint32_t group = alike.group_of[+row];
    if (whole[group].empty() && !last) {
      still_left.push_back(row);
      continue;
    }
    if (number[group] == Climb::no_group) {
      number[group] = made.count();
      made.parts.push_back(whole[group]);
    }
    made.group_of[+row] = number[group];
  }
  left = std::move(still_left);
}

std::vector<RowId> rows_without_group(const Climb& climb) {
  std::vector<RowId> rows;
  for (std::uint32_t row = 0; row < climb.group_of.size(); ++row) {
    if (climb.group_of[row] == Climb::no_group) rows.push_back(RowId{row});
  }
  return rows;
}

}  // namespace

SilentGroups silent_groups(const Task& task, const Climb& climb) {
  SilentGroups made;
  made.group_of.assign(climb.group_of.size(), Climb::no_group);
  std::vector<RowId> left = rows_without_group(climb);
  made.rows = left.size();
  auto rungs = rungs_of(task);
  for (std::uint32_t rung = 0; rung < rungs.size() && !left.empty(); ++rung) {
    RowGroups alike = group_rows(task.table, rungs[rung]);
    place_on_rung(alike, whole_groups(climb, alike, rung), rung + 1 == rungs.size(), left, made);
  }
  return made;
}

namespace {

void sum_groups(const GroupShares& from, const std::vector<std::uint32_t>& parts,
                std::uint32_t group, GroupShares& to) {
  std::uint32_t size = 0;
  for (std::uint32_t part : parts) size += from.size(part);
  to.set_size(group, std::max(1U, size));
  to.set_in_full(group);
  for (std::uint32_t j = 0; j < from.domain_sizes().size(); ++j) {
    for (std::uint32_t v = 0; v < from.domain_sizes()[j]; ++v) {
      ValueId value{static_cast<std::uint16_t>(v)};
      auto counts = from.counts(PrivateId{j}, value);
      std::uint32_t total = 0;
      for (std::uint32_t part : parts) total += counts[part];
      to.set_count(group, PrivateId{j}, value, total);
    }
  }
}

}  // namespace

void add_silent_groups(const SilentGroups& silent, const GroupShares& climb_shares,
                       std::uint32_t groups, std::vector<std::uint32_t>& group_of,
                       GroupShares& shares) {
  for (std::uint32_t i = 0; i < silent.count(); ++i) {
    sum_groups(climb_shares, silent.parts[i], groups + i, shares);
  }
  for (std::size_t row = 0; row < group_of.size(); ++row) {
    if (silent.group_of[row] != Climb::no_group) group_of[row] = groups + silent.group_of[row];
  }
}

void count_groups(const Task& task, const std::vector<std::uint32_t>& group_of,
                  std::uint32_t groups, GroupShares& shares) {
  std::vector<std::uint32_t> sizes(groups, 0);
  for (std::uint32_t group : group_of) {
    if (group != Climb::no_group) ++sizes[group];
  }
  for (std::uint32_t g = 0; g < groups; ++g) shares.set_size(g, std::max(1U, sizes[g]));
  parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
    PrivateId attribute{static_cast<std::uint32_t>(j)};
    const Column& column = task.private_column(attribute);
    std::vector<std::uint32_t> counts(std::size_t{column.domain_size()} * groups, 0);
    column.for_each([&](std::size_t row, std::uint32_t value) {
      if (group_of[row] == Climb::no_group) return;
      ++counts[std::size_t{value} * groups + group_of[row]];
    });
    for (std::uint32_t v = 0; v < column.domain_size(); ++v) {
      for (std::uint32_t g = 0; g < groups; ++g) {
        shares.set_count(g, attribute, ValueId{static_cast<std::uint16_t>(v)},
                         counts[std::size_t{v} * groups + g]);
      }
    }
  });
}

}  // namespace rankveil
