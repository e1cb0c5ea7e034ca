// Randomised response on values, scored by what it tells: a yardstick.
//
// A row says the same as under `rr`. Its profile is the posterior: how likely each value is, given
// what it says and the shares of its public group. With n_x rows of value x in the group, d values
// in the domain and s said, value x has the strength
//   n_x c(x) / sum over y of n_y c(y),  c(s) = d, c(y) = l - 1 for every other y;
// "no value" is one of the y, and takes its part of the strength away. Strengths are rounded to
// multiples of 1/demand.levels; the report has the largest rounding.
//
// Promises    the likelihoods of a profile under any two values differ at most by the factor
//             d / (l - 1), for a domain of d values (or by its inverse).
// Not         a gain of at most 1/l: small domains and rare values give more away.
// Groups      of at least demand.least_group rows, up the ladder where there are fewer (ladder.h).
// Falls back  rows without a group, and rows that take no part: shares.
// Stable      what a row says hangs on the key and the row (responses.h); the strengths move with
//             the shares of its group.
// Cost        two keyed hashes per row and attribute, and one division per value.
#pragma once

#include "rankveil/protect/task.h"

namespace rankveil {

Result<Protection> protect_rr_mean(const Task& task);

}  // namespace rankveil
