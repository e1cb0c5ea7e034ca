// A table that lives on: released once, and again from its ledger after rows came, changed and
// left. Whoever holds both releases intersects what a row shows in them.
#pragma once

#include <cstdint>

#include "rankveil/protect/release/release.h"

namespace rankveil::figures {

struct TwoReleases {
  Table table;     // of the first release
  Profiles first;  // what its rows show
  // What they show in the second one. A row that is gone, or withdrawn since its values changed,
  // has nothing new to say: it stands there with what it showed.
  Profiles second;
  ReleaseCounts counts;  // of the second
};

enum class Second {
  FromLedger,  // as an owner makes it
  Afresh,      // another key and no ledger: what an owner must not do
};

// Of every 11 rows of `all`, ten are released first. Then the others come, one row in 100 changes
// all private values, and another one in 100 leaves. `seed` draws these rows, and the key.
// REQUIRES: the scheme is swap or cluster.
Result<TwoReleases> release_twice(const Table& all, const Demand& demand, std::uint64_t seed,
                                  Second how = Second::FromLedger);

}  // namespace rankveil::figures
