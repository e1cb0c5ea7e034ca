// Releases over time: what rows show stays the same from one build to the next.
//
// Whoever holds two answers about the same values, protected afresh each time, can intersect them.
// So a row with unchanged private values keeps what it shows. New rows wait, served by frozen
// shares, until enough of them have come to hide each other. A row whose values changed is
// withdrawn: its new signal beside the old one would give away what stayed the same. Deleted rows
// leave no trace in the others.
#pragma once

#include <cstdint>

#include "rankveil/protect/ledger.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/index.h"

namespace rankveil {

struct ReleaseCounts {
  std::uint64_t kept = 0;             // show what they showed
  std::uint64_t released = 0;         // show something for the first time, or again
  std::uint64_t waiting = 0;          // new, or not established: too few to hide each other
  std::uint64_t not_established = 0;  // of those, rows that take no part
  std::uint64_t withdrawn = 0;        // changed since they were released
  std::uint64_t gone = 0;             // there in the last build, not in the table
};

struct Release {
  Table table;  // as it may be served (served_table.h): values of silent rows alone are not in it
  Profiles profiles;
  ProtectionReport report;  // of the rows that are released now
  Ledger ledger;
  ReleaseCounts counts;
  // Of the rows that were released before, and keep what they show. Nothing: there are none, or the
  // ledger does not say.
  std::optional<ReportSoFar> earlier = {};

  // Whether somebody may hold two different answers about one row's values.
  bool shown_twice() const;
};

// What rows can only keep while it stays as it is: scheme, l, what the scheme reads of the demand,
// and the key (its fingerprint).
Json release_parameters(const Demand& demand, const SecretKey& key);
// The demand that they came from. Nothing: they are not of this kind.
std::optional<Demand> demand_from_parameters(const Json& parameters);

// Everything anew. `number`: how many releases that makes.
Result<Release> first_release(const Task& task, std::uint32_t number = 1);

// Continues from `old` and its ledger. REQUIRES: the task's table is aligned to `old` (align). With
// `release_changed`, withdrawn rows count as new ones. Refuses another scheme, l, option or key,
// and a ledger that is not of this index.
Result<Release> next_release(const Task& task, const Index& old, const Ledger& ledger,
                             bool release_changed);

// Whether the ledger was written beside this index.
bool belong_together(const Index& index, const Ledger& ledger);

}  // namespace rankveil
