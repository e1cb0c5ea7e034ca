// The top of a ranking: who is a true positive.
#pragma once

#include <vector>

#include "rankveil/publish/demand.h"
#include "rankveil/publish/points.h"

namespace rankveil::publish {

struct Top {
  std::vector<Row> rows;  // best first, equal scores by row order
  double threshold = 0;   // the score of the k_q-th
  Row tied = 0;           // Include: rows beyond k_q that have the same score as the k_q-th
                          // Cut: rows left out that have it
};

// REQUIRES: 1 <= demand.top <= rows with a score.
Top find_top(const Points& points, std::uint32_t k_q, Ties ties);

}  // namespace rankveil::publish
