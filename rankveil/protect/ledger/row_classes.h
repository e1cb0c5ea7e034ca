// What happens to each person when a table is protected again.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "rankveil/protect/ledger/build_rules.h"
#include "rankveil/protect/ledger/ledger.h"
#include "rankveil/protect/persons.h"
#include "rankveil/protect/task.h"

namespace rankveil {

struct PersonClasses {
  // As the next ledger has them (but for their codes), unless the person is released now.
  std::vector<LedgerEntry> entries;
  std::vector<const LedgerEntry*> before;  // in the last ledger; null: not there
  std::vector<std::uint8_t> candidates;    // 1: may get something to show now
  // The private values with which each of `before` that shows something was released, where
  // Ledger::sealed_values has them sealed.
  std::vector<std::uint16_t> released_values;
  std::uint64_t gone = 0;  // persons who were there last time and are not now

  // Whether the person is served what it was served.
  bool stays(std::uint32_t person) const;
};

// REQUIRES: the task's table is aligned to the ledger (value_codes.h).
PersonClasses classify(const Task& task, const Persons& persons, const Ledger& ledger,
                       const BuildRules& rules);

// A value as ledgers write it.
inline std::uint16_t code_of(ValueId value) {
  return value == missing_value ? Ledger::no_code : static_cast<std::uint16_t>(+value);
}

}  // namespace rankveil
