// What happens to each row when a table is protected again.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "rankveil/protect/ledger.h"
#include "rankveil/protect/task.h"
#include "rankveil/ranking/index.h"

namespace rankveil {

struct RowClasses {
  static constexpr std::uint32_t nowhere = UINT32_MAX;
  // Where each row is among the old profiles, if it is to keep what it was served: rows that show
  // something, and rows that show nothing as long as they do.
  std::vector<std::uint32_t> old_row;
  std::vector<std::uint8_t> candidates;  // 1: may get something to show now
  std::vector<LedgerEntry> entries;  // as the next ledger has them, unless a row is released now
  std::uint64_t gone = 0;            // rows that were there last time and are not now
};

// REQUIRES: `hashes` of the private values of every row. Refuses a ledger that is not of this
// index. `release_changed`: rows whose values changed are candidates.
Result<RowClasses> classify_rows(const Task& task, const std::vector<VectorHash>& hashes,
                                 const Index& old, const Ledger& ledger, bool release_changed);

}  // namespace rankveil
