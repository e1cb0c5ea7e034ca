#include "rankveil/protect/rows/open_rows.h"

#include <algorithm>
#include <map>

namespace rankveil {

namespace {

using OwnValues = std::vector<ValueId>;

OwnValues own_values_of(const Table& table, RowId row) {
  OwnValues vector;
  for (std::uint32_t i = table.schema().public_count(); i < table.schema().size(); ++i) {
    vector.push_back(table.value(row, AttributeId{i}));
  }
  return vector;
}

void clear(LevelProfiles& signals, RowId row) {
  for (std::uint32_t j = 0; j < signals.domain_sizes().size(); ++j) {
    for (std::uint32_t v = 0; v < signals.domain_sizes()[j]; ++v) {
      ValueId value{static_cast<std::uint16_t>(v)};
      if (signals.strength(row, PrivateId{j}, value) > 0) signals.set(row, PrivateId{j}, value, 0);
    }
  }
}

LevelProfiles with_signals(LevelProfiles signals, const Table& table,
                           const std::vector<std::uint8_t>& open) {
  for (std::uint32_t row = 0; row < open.size(); ++row) {
    if (open[row] == 0) continue;
    OwnValues own = own_values_of(table, RowId{row});
    clear(signals, RowId{row});
    for (std::uint32_t j = 0; j < own.size(); ++j) {
      if (own[j] != missing_value) signals.set(RowId{row}, PrivateId{j}, own[j], signals.levels());
    }
  }
  return signals;
}

void copy_groups(const GroupShares& from, GroupShares& to) {
  for (std::uint32_t group = 0; group < from.groups(); ++group) {
    to.set_sum(group, from, {&group, 1});
    if (from.in_full(group)) to.set_in_full(group);
  }
}

// A group of one row, whose shares are its values.
void add_vector(const OwnValues& own, std::uint32_t group, GroupShares& shares) {
  shares.set_size(group, 1);
  shares.set_in_full(group);
  for (std::uint32_t j = 0; j < own.size(); ++j) {
    if (own[j] != missing_value) shares.set_count(group, PrivateId{j}, own[j], 1);
  }
}

GroupedProfiles with_groups(GroupedProfiles profiles, const Table& table,
                            const std::vector<std::uint8_t>& open) {
  std::map<OwnValues, std::uint32_t> groups;
  std::uint32_t first = profiles.shares.groups();
  for (std::uint32_t row = 0; row < open.size(); ++row) {
    if (open[row] == 0) continue;
    auto next = first + static_cast<std::uint32_t>(groups.size());
    auto own = groups.try_emplace(own_values_of(table, RowId{row}), next).first;
    profiles.group_of[row] = own->second;
    clear(profiles.signals, RowId{row});
  }
  GroupShares shares(first + static_cast<std::uint32_t>(groups.size()),
                     profiles.shares.domain_sizes());
  copy_groups(profiles.shares, shares);
  for (const auto& [own, group] : groups) add_vector(own, group, shares);
  profiles.shares = std::move(shares);
  return profiles;
}

}  // namespace

Profiles with_open_rows(Profiles profiles, const Table& table,
                        const std::vector<std::uint8_t>& open) {
  if (std::ranges::find(open, 1) == open.end()) return profiles;
  if (const auto* grouped = std::get_if<GroupedProfiles>(&profiles.kinds())) {
    return with_groups(*grouped, table, open);
  }
  return with_signals(*std::get_if<LevelProfiles>(&profiles.kinds()), table, open);
}

std::vector<bool> rows_with_own_values(const Profiles& profiles) {
  std::vector<bool> own(profiles.rows());
  if (const auto* grouped = std::get_if<GroupedProfiles>(&profiles.kinds())) {
    for (std::uint32_t row = 0; row < own.size(); ++row) {
      own[row] = grouped->shares.size(grouped->group_of[row]) == 1;
    }
    return own;
  }
  const auto& signals = *std::get_if<LevelProfiles>(&profiles.kinds());
  std::vector<bool> in_part(profiles.rows());
  for (std::uint32_t j = 0; j < signals.domain_sizes().size(); ++j) {
    signals.for_each_bit(PrivateId{j}, [&](RowId row, ValueId, std::uint32_t strength) {
      (strength == signals.levels() ? own : in_part)[+row] = true;
    });
  }
  for (std::size_t row = 0; row < own.size(); ++row) own[row] = own[row] && !in_part[row];
  return own;
}

}  // namespace rankveil
