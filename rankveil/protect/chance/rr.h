// Randomised response on values, taken at its word: a yardstick.
//
// A row matches the one value it says (see responses.h), which is its own with probability 1/l and
// otherwise one of the others, each alike; a row may say that it has no value, and then matches
// nothing. Of the usual forms of randomised response this is the one whose utility is that of the
// study of schemes; the others (any value at random; a value drawn from the group's shares) rank
// clearly better, and tell more.
//
// Promises    the likelihoods of a profile under any two values differ at most by the factor
//             d / (l - 1), for a domain of d values (or by its inverse).
// Not         a gain of at most 1/l: small domains and rare values give more away.
// Stable      the draws depend on the key and the row: see responses.h.
// Falls back  rows that take no part: shares.
// Cost        two keyed hashes per row and attribute.
#pragma once

#include "rankveil/protect/task.h"

namespace rankveil {

// Reports as obfuscated what does not match the truth.
Result<Protection> protect_rr(const Task& task);

}  // namespace rankveil
