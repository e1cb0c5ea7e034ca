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

  // Only signals, when every attribute of every row has one; with groups otherwise.
  Profiles finish() &&;

 private:
  std::vector<RowId> rows_with_shares() const;
  const Task& task_;
  LevelProfiles signals_;
  std::vector<std::uint8_t> shared_;  // [row][attribute]; 1: shares
};

}  // namespace rankveil
