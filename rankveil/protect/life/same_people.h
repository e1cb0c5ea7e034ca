// Whether the ledger's people are the table's: other ids for the same people would release
// everybody a second time. So would another ledger.
#pragma once

#include "rankveil/protect/ledger/row_classes.h"
#include "rankveil/protect/ledger/sealed_values.h"

namespace rankveil {

// Refuses, unless the owner says that people changed: many left, as many came, and by their public
// values they agree as chance does in one of a million tables; or fewer than half of the people are
// there.
Status check_same_people(const Task& task, const Persons& persons, const Ledger& ledger,
                         const PersonClasses& classes, const BuildRules& rules);

// What a ledger of the table would say of public columns, without what anybody shows: all that the
// next function looks at, before a release is made.
Ledger public_side(const Task& task);

// Whether two ledgers, of different keys as a rule, are about the same people: they have names in
// common, and under these names what one says of a public column tells what the other does. By
// chance that is so in one of a million cases.
bool about_the_same_people(const Ledger& one, const Ledger& other);

}  // namespace rankveil
