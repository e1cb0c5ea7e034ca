// Releases over time: what rows show stays the same from one build to the next, and from one output
// to another.
//
// Whoever holds two answers about the same values, protected afresh each time, can intersect them.
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

// Rows; withdrawals and who left are people.
struct ReleaseCounts {
  std::uint64_t kept = 0;             // show what they showed
  std::uint64_t released = 0;         // show something for the first time, or again
  std::uint64_t waiting = 0;          // new, or not established: too few to hide each other
  std::uint64_t not_established = 0;  // of those, rows that take no part
  std::uint64_t changed = 0;          // of the kept ones, those who will be withdrawn
  std::uint64_t withdrawn = 0;        // show nothing any more: they changed, or are company
  std::uint64_t gone = 0;             // there in the last build, not in the table
  std::uint32_t waiting_since = 0;    // the day the first of them came (ledger/days.h)
  std::uint32_t changed_since = 0;    // likewise
  std::uint64_t withdrawn_now = 0;    // in this build, because of changes
  std::uint64_t company_now = 0;      // in this build, without any
  double withdrawal_gain = 0;         // that one of these changed (life/withdrawals.h)
  // Of the kept ones, those whose public values are others than when they were released, and the
  // most that is believed of a coin of theirs (life/moved_rows.h); and who is withdrawn for that.
  std::uint64_t moved = 0;
  double moved_belief = 0;
  std::uint64_t moved_out_now = 0;
};

struct Release {
  Table table;  // as it may be served (served_table.h): values of silent rows alone are not in it
  Profiles profiles;
  ProtectionReport report;  // of the rows that are released now
  Ledger ledger;            // all but its outputs
  ReleaseCounts counts;
  // Of the rows that were released before, and keep what they show. Nothing: there are none.
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
