#include "rankveil/protect/life/profile_merger.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace rankveil {

namespace {

constexpr std::uint32_t nowhere = UINT32_MAX;

const GroupedProfiles* groups_of(const Profiles& profiles) {
  return std::get_if<GroupedProfiles>(&profiles.kinds());
}

}  // namespace

const LevelProfiles& signals_of(const Profiles& profiles) {
  if (const auto* levels = std::get_if<LevelProfiles>(&profiles.kinds())) return *levels;
  return std::get<GroupedProfiles>(profiles.kinds()).signals;
}

std::uint32_t common_levels(const Profiles& old, const Profiles* fresh) {
  std::uint32_t levels = signals_of(old).levels();
  if (fresh != nullptr) levels = std::lcm(levels, signals_of(*fresh).levels());
  std::uint32_t parts = groups_of(old) == nullptr ? 1 : groups_of(old)->keep.denominator;
  return levels * parts <= max_steps ? levels : 0;
}

ProfileMerger::ProfileMerger(const Task& task, const Profiles& old, const Profiles* fresh)
    : task_(task),
      old_(old),
      fresh_(fresh),
      signals_(task.table.rows(), task.private_domain_sizes(), common_levels(old, fresh)),
      keys_(task.table.rows()) {}

ProfileMerger::GroupKey ProfileMerger::key_of(const Profiles& profiles, GroupKey::From from,
                                              std::uint32_t row) {
  const GroupedProfiles* groups = groups_of(profiles);
  if (groups == nullptr) return {};
  std::uint32_t group = groups->group_of[row];
  return {from, group, groups->shares.in_full(group)};
}

void ProfileMerger::take_old(const std::vector<std::uint32_t>& old_row) {
  std::vector<std::uint32_t> new_row(old_.rows(), nowhere);
  for (std::uint32_t row = 0; row < old_row.size(); ++row) {
    if (old_row[row] == nowhere) continue;
    new_row[old_row[row]] = row;
    keys_[row] = key_of(old_, GroupKey::From::Old, old_row[row]);
  }
  copy(signals_of(old_), new_row);
}

void ProfileMerger::take_fresh(const std::vector<bool>& wanted) {
  std::vector<std::uint32_t> new_row(wanted.size(), nowhere);
  for (std::uint32_t row = 0; row < wanted.size(); ++row) {
    if (!wanted[row]) continue;
    new_row[row] = row;
    keys_[row] = key_of(*fresh_, GroupKey::From::Fresh, row);
  }
  copy(signals_of(*fresh_), new_row);
}

void ProfileMerger::copy(const LevelProfiles& from, const std::vector<std::uint32_t>& new_row) {
  std::uint32_t step = signals_.levels() / from.levels();
  for (std::uint32_t j = 0; j < from.domain_sizes().size(); ++j) {
    PrivateId id{j};
    from.for_each_bit(id, [&](RowId row, ValueId value, std::uint32_t bit) {
      if (new_row[+row] == nowhere) return;
      RowId to{new_row[+row]};
      signals_.set(to, id, value, signals_.strength(to, id, value) + (step << bit));
    });
  }
}

void ProfileMerger::give_shares(const std::vector<RowId>& rows, const std::vector<RowId>& beside,
                                FrozenShares frozen) {
  frozen_ = std::move(frozen);
  for (RowId row : rows) keys_[+row] = {GroupKey::From::Frozen, frozen_.group_of[+row], true};
  for (RowId row : beside) keys_[+row] = {GroupKey::From::Frozen, frozen_.group_of[+row], false};
}

Profiles ProfileMerger::finish() && {
  bool plain = std::all_of(keys_.begin(), keys_.end(),
                           [](const GroupKey& key) { return key.from == GroupKey::From::None; });
  if (plain && groups_of(old_) == nullptr) return std::move(signals_);
  std::map<GroupKey, std::uint32_t> numbers;
  std::vector<std::uint32_t> group_of;
  group_of.reserve(keys_.size());
  for (const GroupKey& key : keys_) {
    auto next = static_cast<std::uint32_t>(numbers.size());
    group_of.push_back(numbers.try_emplace(key, next).first->second);
  }
  GroupShares shares(static_cast<std::uint32_t>(numbers.size()), task_.private_domain_sizes());
  for (const auto& [key, number] : numbers) fill(key, number, shares);
  Fraction keep = groups_of(old_) == nullptr ? Fraction{1, 1} : groups_of(old_)->keep;
  return GroupedProfiles{keep, std::move(signals_), std::move(group_of), std::move(shares)};
}

const GroupShares& ProfileMerger::shares_in(GroupKey::From from) const {
  if (from == GroupKey::From::Frozen) return frozen_.shares;
  return groups_of(from == GroupKey::From::Old ? old_ : *fresh_)->shares;
}

void ProfileMerger::fill(const GroupKey& key, std::uint32_t number, GroupShares& shares) const {
  if (key.in_full) shares.set_in_full(number);
  if (key.from == GroupKey::From::None) return;
  shares.set_sum(number, shares_in(key.from), {&key.group, 1});
}

}  // namespace rankveil
