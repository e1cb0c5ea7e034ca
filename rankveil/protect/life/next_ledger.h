// The people of a ledger after a build.
#pragma once

#include <vector>

#include "rankveil/protect/ledger/build_rules.h"
#include "rankveil/protect/ledger/ledger.h"
#include "rankveil/protect/persons.h"

namespace rankveil {

// Fills rows, codes, gone, columns and public_columns. `entries`: per person, as it is now.
// `before`: the ledger of the last build, and the entry there of everybody who is in it (both null
// at first). `served`: the table as it is served, with the columns and rows of the task's.
struct PeopleNow {
  const Persons& persons;
  const std::vector<LedgerEntry>& entries;
  const Ledger* ledger = nullptr;
  const std::vector<const LedgerEntry*>* before = nullptr;
};
void write_people(const SecretKey& key, const PeopleNow& people, const Table& served,
                  const Profiles& profiles, const BuildRules& rules, Ledger& made);

// Whether signals are one value at most of each attribute, at full strength.
bool shows_single_values(const Profiles& profiles);

}  // namespace rankveil
