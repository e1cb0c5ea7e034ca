// Mondrian: the true positives split at medians, strictly, while both halves keep k.
//
// The dimension with the widest range goes first, measured by the range of all true positives; when
// the halves would be too small, the next one. False positives are counted after, and parts that
// are not precise enough are not published.
//
// Promises    every part has at least k true positives.
// Cost        O(t log t) for t true positives.
// Source      LeFevre et al. 2006 by way of the k-ARQ thesis, section 2.4 (the spec's algorithm 3).
#pragma once

#include "rankveil/publish/methods/method.h"

namespace rankveil::publish {

Selected mondrian(const Round& round);

}  // namespace rankveil::publish
