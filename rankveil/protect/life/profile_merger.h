// Profiles put together from those of the last build, fresh ones, and frozen shares.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "rankveil/protect/ledger/frozen_groups.h"
#include "rankveil/protect/task.h"

namespace rankveil {

class ProfileMerger {
 public:
  // `fresh` may be null. REQUIRES: both keep the same share; steps that fit together
  // (common_levels); values numbered as in the task's table, of which `old` may have fewer.
  ProfileMerger(const Task& task, const Profiles& old, const Profiles* fresh);

  // `old_row`: per row, where its profile is in `old`; UINT32_MAX: elsewhere.
  void take_old(const std::vector<std::uint32_t>& old_row);
  // Rows with `wanted` get their fresh profile.
  void take_fresh(const std::vector<bool>& wanted);
  // All others: the shares of their group as they were released. `beside`: rows that get them
  // beside what they show.
  void give_shares(const std::vector<RowId>& rows, const std::vector<RowId>& beside,
                   FrozenShares frozen);

  Profiles finish() &&;

 private:
  struct GroupKey {
    enum class From { None, Old, Fresh, Frozen };
    From from = From::None;
    std::uint32_t group = 0;
    bool in_full = true;

    bool operator<(const GroupKey& other) const {
      return std::tuple(from, group, in_full) < std::tuple(other.from, other.group, other.in_full);
    }
  };

  static GroupKey key_of(const Profiles& profiles, GroupKey::From from, std::uint32_t row);
  void copy(const LevelProfiles& from, const std::vector<std::uint32_t>& new_row);
  const GroupShares& shares_in(GroupKey::From from) const;
  void fill(const GroupKey& key, std::uint32_t number, GroupShares& shares) const;

  const Task& task_;
  const Profiles& old_;
  const Profiles* fresh_;
  FrozenShares frozen_;
  LevelProfiles signals_;
  std::vector<GroupKey> keys_;  // per row
};

// The fewest levels that hold the strengths of both exactly; 0: more than there can be.
std::uint32_t common_levels(const Profiles& old, const Profiles* fresh);

// The signals of profiles of either kind.
const LevelProfiles& signals_of(const Profiles& profiles);

}  // namespace rankveil
