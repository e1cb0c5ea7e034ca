// The box around the whole top, in two readings of what readers are told.
//
// perfect_recall     the smallest box around the whole top: every true positive is published, or
//                    nothing is. No precision: the box holds whatever else lies in it.
// perfect_precision  the same box, published with the least score of the top: all true positives
// and
//                    nothing else, where the top has at least k rows. Whoever holds a row's values
//                    can tell whether it is in the top.
// Source             k-ARQ thesis, sections 2.2 and 2.3 (the spec's algorithms 1 and 2).
#pragma once

#include "rankveil/publish/methods/method.h"

namespace rankveil::publish {

Selected perfect_recall(const Round& round);
Selected perfect_precision(const Round& round);

}  // namespace rankveil::publish
