// Private values trade places by a law that fits them: the scheme to start with.
//
// Every private column, or block of columns that the policy joins, has its own coin. A person keeps
// their own values there with probability 1/l; those of all others are rearranged so that what each
// one shows fits their public values and what else they show (fitted/). A row is scored by what
// that means:
//   M(x) = 1/l [x is shown] + (1 - 1/l) share of x in the row's base group (shown_groups.h)
//
// Promises    about each block: what is shown does not tell whether a row shows its own there, so a
//             belief in anything about the block is at most 1/l more, in what is missing to
//             certainty, than what one would believe if told that the row moved (T9, T9b, T10; R in
//             docs/concepts/swap.md). Blocks that depend on each other add up, and a later one may
//             speak of an earlier one's coin; what acquaintances learn is measured, not proved.
// Assumes     that anyone who looks knows people no better than the table's own model does; else
//             odds grow by the factor that `rankveil audit` measures. In classes of 100 rows equal
//             in all that models look at nothing is assumed.
// Not         sets over several blocks; who knows the values of the others; what only two or three
//             people can have. A row that is shown anew speaks twice: release.h keeps rows to what
//             they show.
// Falls back  fewer than 100 rows that take part show nothing (shares of shown values only). So do
//             persons with more than 10 rows, or with as many rows as fewer than 100 others, where
//             a private column varies inside persons. The ladder means nothing here.
// Missing     is a value of models, and stays missing where it is shown.
// Cost        see fitted/fitted_swap.h; half a second for 10,000 rows, some seconds for 300,000.
// Source      docs/concepts/swap.md.
#pragma once

#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/protect/task.h"

namespace rankveil {

// Refuses l above 255: the profile's steps would not fit.
Result<Protection> protect_swap(const Task& task);

// Rows that get something to show when the task is protected.
std::vector<bool> rows_of_swap(const Task& task);

}  // namespace rankveil
