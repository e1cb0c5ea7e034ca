// Releases over time: what rows show stays the same from one build to the next, and from one output
// to another.
//
// Anyone who holds two answers about the same values, protected afresh each time, intersects them.
// So a row with unchanged private values keeps what it shows. New rows wait, served by frozen
// shares, until enough of them have come to hide each other (group_sizes.h). Rows whose values
// changed keep what they show, too, until they are withdrawn together and in company
// (life/withdrawals.h): a new signal beside the old one would give away what stayed the same.
// Deleted rows leave no trace in the others. Values go by the ledger's codes
// (ledger/value_codes.h), so that another name for one is no change; and what looks like a change
// of people or of names all the same is refused (life/value_changes.h, life/same_people.h).
#pragma once

#include <cstdint>

#include "rankveil/promise/claim.h"
#include "rankveil/protect/ledger/build_rules.h"
#include "rankveil/protect/ledger/ledger.h"
#include "rankveil/protect/life/further_output.h"
#include "rankveil/protect/life/release_parameters.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/index.h"

namespace rankveil {

struct Release {
  Table table;  // as it may be served (served_table.h): values of silent rows alone are not in it
  Profiles profiles;
  ProtectionReport report;  // of the rows that are released now
  Ledger ledger;            // all but its outputs
  ReleaseCounts counts;
  // What was said of the rows that were released before. Nothing: there are none.
  std::optional<ReportSoFar> earlier = {};
  Coverage coverage = {};  // for how many rows the scheme's promise is made

  // Whether somebody may hold two different answers about one row's values.
  bool shown_twice() const;
};

// Everything anew. `number`: how many releases that makes.
Result<Release> first_release(const Task& task, const BuildRules& rules = {},
                              std::uint32_t number = 1);

// Continues from the last build, `old`, and its ledger. REQUIRES: the task's table is aligned to
// the ledger (ledger/value_codes.h). Refuses another scheme, l, option or key, a ledger that is not
// of this index, other people, and changes that are none of people.
//
// `further`: what is served is an output under a larger l than the task's, which is the release's.
// Nobody is then released, so that the index of the release does not fall behind.
Result<Release> next_release(const Task& task, const Index& old, const Ledger& ledger,
                             const BuildRules& rules = {}, const FurtherOutput& further = {});

// The table as next_release takes it.
Result<Table> align(const Table& table, const Ledger& ledger, const Schema* before,
                    const BuildRules& rules);

// Whether the index was made from this ledger, in its release; `build`: and in which of its builds.
bool belong_together(const Index& index, const Ledger& ledger);
std::uint32_t build_of(const Index& index);

}  // namespace rankveil
