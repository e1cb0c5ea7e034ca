// Whether the declared scheme could have made these profiles: what nothing but another code, or
// another parameter, explains.
//
//   form      sets where there should be strengths, shares where there should be none, a coin other
//             than 1/l, strengths that are not multiples of the declared step
//   sets      with fewer or more values than the scheme gives
//   sums      strengths that add up to more than 1, and to more than rounding explains
//   loudness  a strength above the cap of its value (cluster, capped); two profiles of one group
//             further apart than the budget allows (ldp). Of all strengths that a served one may be
//             rounded from, the one that fits best counts
//   silence   rows that take no part and show something; rows with a signal on top of full shares
//   counts    a value shown by more rows of a group than have it (swap)
//
// Caps and budgets hang on the groups that rows were protected in. They are looked up in the table
// as it is. Where rows were released in several batches (Mechanism::one_batch), budgets are left
// out, and so are caps in groups that are not known, or that rows have left.
#pragma once

#include <vector>

#include "rankveil/audit/finding.h"
#include "rankveil/audit/levels.h"

namespace rankveil::audit {

// One finding for each private attribute, with evidence where something does not fit; or one for
// all of them, when the form is wrong. Without promise and verdict. REQUIRES: observed.mechanism,
// of a known scheme.
std::vector<Finding> check_fits(const Observed& observed);

}  // namespace rankveil::audit
