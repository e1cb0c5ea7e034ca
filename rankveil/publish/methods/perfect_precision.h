// PerfectPrecision: the box around the whole top, published with the least score of the top.
//
// Promises    all true positives and nothing else, where the top has at least k rows.
// Not         much: whoever holds a row's values can tell whether it is in the top.
// Source      k-ARQ thesis, section 2.3 (the spec's algorithm 2).
#pragma once

#include "rankveil/publish/methods/method.h"

namespace rankveil::publish {

Selected perfect_precision(const Round& round);

}  // namespace rankveil::publish
