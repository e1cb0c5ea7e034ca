// Greedy Insertion: a box that grows by the true positive that brings the most others along.
//
// The best one has the greatest (true positives gained - false positives gained); of equal ones the
// highest in rank. Ends before the precision falls below the demand.
//
// Cost        a box is counted for every true positive outside, in every step; counting ends where
//             it cannot be the best any more.
// Source      k-ARQ thesis, section 4.2 (the spec's algorithm 5).
#pragma once

#include "rankveil/publish/methods/method.h"

namespace rankveil::publish {

Selected greedy_insertion(const Round& round);

}  // namespace rankveil::publish
