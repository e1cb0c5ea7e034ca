// Goes on with a release whose last index cannot be read, from its ledger.
//
//   auto release = next_release_without_index(task, ledger, rules);
//
// Where the ledger says what rows show (swap), the index is made again of that. Only who shows
// something is in it: for all others the next build works out shares in any case. Public values are
// those of the last build, as short hashes tell them. Everybody has the shares of the groups that
// were kept last, so rows of earlier batches may be given later ones; all count what is shown.
// For other schemes the first build is done once more: where its ledger comes out the same, so does
// its index.
#pragma once

#include "rankveil/base/result.h"
#include "rankveil/protect/ledger/build_rules.h"
#include "rankveil/protect/ledger/ledger.h"
#include "rankveil/protect/release/release.h"
#include "rankveil/ranking/index.h"

namespace rankveil {

// REQUIRES: the task's table is aligned to the ledger (ledger/value_codes.h). Refuses what
// next_release refuses, a table in which a public value of then has become unknown, and a ledger
// from which the index does not come out.
Result<Release> next_release_without_index(const Task& task, const Ledger& ledger,
                                           const BuildRules& rules = {});

// The index as next_release takes it, with rows called as they were then. REQUIRES: the scheme
// keeps groups (Scheme::base_shares), and the ledger says what rows show.
Result<Index> index_again(const Task& task, const Ledger& ledger, const BuildRules& rules);

}  // namespace rankveil
