// For how many rows of a release its scheme's promise is made (promise/claim.h).
//
// Covered   of schemes that protect rows among like ones up a ladder: rows whose group shares all
//           public values. Rows further up show something, but anyone who looks at more columns
//           than their group is alike in may learn more than is promised. Of the others: rows that
//           show something, but for those whose sets could not be filled.
// Base      rows that show shares alone are neither covered nor uncovered: they show nothing of
//           their own.
#pragma once

#include "rankveil/promise/claim.h"
#include "rankveil/protect/ledger/ledger.h"
#include "rankveil/protect/scheme.h"

namespace rankveil {

// `ledger`: as it is written for the release, of the people in `table`.
// `so_far`: of all rows that show something; `base_only`: how many show nothing of their own.
Coverage coverage_of(const Scheme& scheme, const Table& table, const Ledger& ledger,
                     const ProtectionReport& so_far, std::uint64_t base_only);

}  // namespace rankveil
