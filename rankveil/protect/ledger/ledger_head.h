// The first line of a ledger's file: all that is not about one person.
#pragma once

#include "rankveil/base/json.h"
#include "rankveil/protect/ledger/ledger.h"

namespace rankveil {

Json ledger_head(const Ledger& ledger);
// Fills all but the persons. False: it is not of this kind.
bool read_ledger_head(const Json& json, Ledger& ledger);

}  // namespace rankveil
