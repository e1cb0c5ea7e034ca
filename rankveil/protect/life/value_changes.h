// Whether what changed in a table since the last build is news about people, or about how the table
// is written. Of the second kind rows would be withdrawn for having a value, and everybody who
// compares two builds would see which.
#pragma once

#include <vector>

#include "rankveil/protect/ledger/row_classes.h"

namespace rankveil {

// Values held by two or more people who are all there and now all hold one same other value, while
// nobody has it any more: it is called otherwise, or was merged. Refuses these, by column.
Status check_vanished_values(const Task& task, const Persons& persons, const Ledger& ledger,
                             const PersonClasses& classes);

// People (`leaving`, a list of persons) who are about to be withdrawn and of whom too many had, or
// have now, one value: more than chance does in one of a million builds. Refuses, by column.
Status check_scattered(const Task& task, const Persons& persons, const Ledger& ledger,
                       const PersonClasses& classes, const std::vector<std::uint32_t>& leaving);

}  // namespace rankveil
