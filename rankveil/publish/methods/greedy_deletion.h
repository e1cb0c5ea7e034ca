// Greedy Deletion: from the box around the whole top, drop the true positive whose going takes the
// most false positives along.
//
// A candidate stands at an edge of the box. The best one has the greatest (false positives dropped
// - true positives dropped); of equal ones the lowest in rank goes. Where several stand at one
// edge, dropping the first of them moves nothing yet. Ends when the box is precise enough, or when
// the next removal would leave fewer than k members.
//
// Cost        a step counts the points between the edges and the next true positives.
// Source      k-ARQ thesis, section 4.1; the spec's algorithm 4 says where we depart.
#pragma once

#include "rankveil/publish/methods/method.h"

namespace rankveil::publish {

Selected greedy_deletion(const Round& round);

// Where it ends, for others to start from.
struct Shrunk {
  std::vector<Point> chosen;  // the box is the one around them
  Counts counts;              // of the box
};
Shrunk shrink_greedily(const Round& round);

}  // namespace rankveil::publish
