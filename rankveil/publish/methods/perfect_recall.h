// PerfectRecall: the smallest box around the whole top.
//
// Promises    every true positive is published, or nothing is.
// Not         precision: the box holds whatever else lies in it.
// Source      k-ARQ thesis, section 2.2 (the spec's algorithm 1).
#pragma once

#include "rankveil/publish/methods/method.h"

namespace rankveil::publish {

Selected perfect_recall(const Round& round);

}  // namespace rankveil::publish
