// Whether the ledger's people are the table's: other ids for the same people would release
// everybody a second time.
#pragma once

#include "rankveil/protect/life/sealed_values.h"
#include "rankveil/protect/row_classes.h"

namespace rankveil {

// Refuses, unless the owner says that people changed: many left, as many came, and by their public
// values they agree as chance does in one of a million tables; or fewer than half of the people are
// there.
Status check_same_people(const Task& task, const Persons& persons, const Ledger& ledger,
                         const PersonClasses& classes, const BuildRules& rules);

}  // namespace rankveil
