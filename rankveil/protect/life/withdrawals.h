// Rows whose private values changed leave together, and beside as many that did not change.
//
// A signal that is taken back says that its values are no longer true, and one build after another
// would name everybody who changed. So changed people go on showing what they showed until there
// are ten of them, or the first has waited long enough; then as many others, drawn by the key,
// leave with them. Who sees that a row shows nothing any more believes with one half that it
// changed.
#pragma once

#include <vector>

#include "rankveil/protect/ledger/row_classes.h"

namespace rankveil {

inline constexpr std::size_t enough_changes = 10;

struct Withdrawal {
  std::vector<std::uint32_t> changed;  // persons
  std::vector<std::uint32_t> company;  // who did not change
  std::uint64_t shown = 0;             // people who showed something

  // That somebody changed who is withdrawn: (belief - prior) / (1 - prior), the prior being the
  // share of those who changed.
  double gain() const;
};

// Who is due; nobody while changes wait.
Withdrawal due_withdrawal(const Task& task, const Persons& persons, const PersonClasses& classes,
                          const BuildRules& rules, std::uint32_t build);

void withdraw(const Withdrawal& due, PersonClasses& classes);

}  // namespace rankveil
