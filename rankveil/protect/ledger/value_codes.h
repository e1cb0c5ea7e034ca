// Values under the codes that a ledger has given them: what a rename is, and what is none.
#pragma once

#include "rankveil/base/keys/keyed.h"
#include "rankveil/base/result.h"
#include "rankveil/protect/ledger/build_rules.h"
#include "rankveil/protect/ledger/ledger.h"
#include "rankveil/table/table.h"

namespace rankveil {

// The ledger with values and persons called as they are called now. Nobody is withdrawn by that:
// codes stay. What is renamed already, or was never there, is passed over. Refuses a value that
// would become one with another, a name that the new ids give to two, or that is somebody's.
Result<Ledger> with_new_names(Ledger ledger, const SecretKey& key, const BuildRules& rules);

// The table's attributes as the ledger has them: private ones in its order, with values in the
// order of their codes; public ones with the values of `before`, where that has them (may be null).
// For align (served_table.h), which puts new values behind. Refuses private columns that are not
// those of the ledger, public ones on which the release does not rest, bins with other edges, new
// values where the scheme's law depends on the domain, and a value that was renamed and is still
// there.
Result<Schema> schema_by_codes(const Schema& schema, const Ledger& ledger, const Schema* before,
                               const BuildRules& rules);

// The private columns of a table as it is served.
std::vector<LedgerColumn> ledger_columns(const Schema& served, const BuildRules& rules);

}  // namespace rankveil
