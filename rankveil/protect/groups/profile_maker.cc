#include "rankveil/protect/groups/profile_maker.h"

#include <algorithm>
#include <map>
#include <utility>

#include "rankveil/protect/groups/ladder.h"

namespace rankveil {

ProfileMaker::ProfileMaker(const Task& task, std::uint32_t levels)
    : task_(task),
      signals_(task.table.rows(), task.private_domain_sizes(), levels),
      shared_(std::size_t{task.table.rows()} * task.private_count(), 0),
      members_(task.private_count()) {
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    if (task.takes_part(RowId{row})) continue;
    for (std::uint32_t j = 0; j < task.private_count(); ++j) use_shares(RowId{row}, PrivateId{j});
  }
}

void ProfileMaker::use_shares(RowId row, PrivateId attribute) {
  shared_[std::size_t{+row} * task_.private_count() + +attribute] = 1;
}

std::uint32_t ProfileMaker::add_group(std::uint32_t size) {
  own_sizes_.push_back(size);
  return static_cast<std::uint32_t>(own_sizes_.size() - 1);
}

void ProfileMaker::count_member(std::uint32_t group, PrivateId attribute, ValueId value) {
  members_[+attribute].push_back({group, value});
}

void ProfileMaker::join_group(RowId row, std::uint32_t group) { joined_.emplace_back(row, group); }

std::vector<RowId> ProfileMaker::rows_with_shares() const {
  std::vector<RowId> rows;
  std::size_t width = task_.private_count();
  for (std::uint32_t row = 0; row < task_.table.rows(); ++row) {
    auto begin = shared_.begin() + static_cast<std::ptrdiff_t>(row * width);
    auto end = begin + static_cast<std::ptrdiff_t>(width);
    if (std::find(begin, end, 1) != end) rows.push_back(RowId{row});
  }
  return rows;
}

namespace {

// Which public group, and in which attributes its shares count.
using GroupPart = std::pair<std::uint32_t, std::vector<std::uint8_t>>;

}  // namespace

// Writes the groups of add_group, whose numbers begin at `first`.
void ProfileMaker::add_own_groups(std::uint32_t first, GroupedProfiles& profiles) const {
  GroupShares& shares = profiles.shares;
  for (std::uint32_t group = 0; group < own_sizes_.size(); ++group) {
    shares.set_in_full(first + group);
    shares.set_size(first + group, own_sizes_[group]);
  }
  for (std::uint32_t j = 0; j < members_.size(); ++j) {
    for (const Member& member : members_[j]) {
      std::uint32_t group = first + member.group;
      std::uint32_t count = shares.count(group, PrivateId{j}, member.value);
      shares.set_count(group, PrivateId{j}, member.value, count + 1);
    }
  }
  for (const auto& [row, group] : joined_) profiles.group_of[+row] = first + group;
}

Profiles ProfileMaker::finish() && {
  std::vector<RowId> rows = rows_with_shares();
  if (rows.empty() && own_sizes_.empty()) return std::move(signals_);
  NearestGroups nearest = nearest_groups(task_, rows);
  std::size_t width = task_.private_count();
  // Group 0 is that of rows with signals in all attributes: it adds nothing.
  std::map<GroupPart, std::uint32_t> numbers;
  std::vector<std::uint32_t> group_of(task_.table.rows(), 0);
  for (RowId row : rows) {
    auto begin = shared_.begin() + static_cast<std::ptrdiff_t>(+row * width);
    GroupPart part{nearest.group_of[+row], {begin, begin + static_cast<std::ptrdiff_t>(width)}};
    auto number = static_cast<std::uint32_t>(numbers.size() + 1);
    group_of[+row] = numbers.try_emplace(std::move(part), number).first->second;
  }
  auto count = static_cast<std::uint32_t>(numbers.size() + 1);
  GroupShares shares(count + static_cast<std::uint32_t>(own_sizes_.size()),
                     task_.private_domain_sizes());
  shares.set_in_full(0);
  for (const auto& [part, number] : numbers) {
    shares.set_sum(number, nearest.shares, {&part.first, 1}, part.second);
    shares.set_in_full(number);
  }
  GroupedProfiles made{{1, 1}, std::move(signals_), std::move(group_of), std::move(shares)};
  add_own_groups(count, made);
  return made;
}

}  // namespace rankveil
