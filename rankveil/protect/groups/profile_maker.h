// Puts profiles together: signals for rows that have one, shares for what has none.
//
//   ProfileMaker maker(task, 1);
//   maker.signals().set(row, attribute, value);
//   maker.use_shares(other_row, attribute);
//   Profiles profiles = std::move(maker).finish();
//
// Rows that take no part in the task need no word: finish() gives them shares.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "rankveil/protect/task.h"

namespace rankveil {

class ProfileMaker {
 public:
  ProfileMaker(const Task& task, std::uint32_t levels);

  // REQUIRES: no signal for what use_shares was called for, nor for rows that take no part.
  LevelProfiles& signals() { return signals_; }
  // The profile is the shares of the row's nearest group (see nearest_groups). Safe to call for
  // different rows at the same time.
  void use_shares(RowId row, PrivateId attribute);

  // A group whose rows have, instead of signals, shares of `size` members: count_member says which
  // values those have. Two threads may count members of different attributes.
  std::uint32_t add_group(std::uint32_t size);
  void count_member(std::uint32_t group, PrivateId attribute, ValueId value);
  void join_group(RowId row, std::uint32_t group);

  // Only signals, when every attribute of every row has one; with groups otherwise.
  Profiles finish() &&;

 private:
  struct Member {
    std::uint32_t group;
    ValueId value;
  };
  std::vector<RowId> rows_with_shares() const;
  void add_own_groups(std::uint32_t first, GroupedProfiles& profiles) const;

  const Task& task_;
  LevelProfiles signals_;
  std::vector<std::uint8_t> shared_;          // [row][attribute]; 1: shares
  std::vector<std::uint32_t> own_sizes_;      // per group that was added
  std::vector<std::vector<Member>> members_;  // per attribute
  std::vector<std::pair<RowId, std::uint32_t>> joined_;
};

}  // namespace rankveil
