// The greedy methods as the thesis lists them, without any structure: the table is sorted for its
// top, and every box that is tried is counted over all rows. The other contestant of this
// benchmark.
#pragma once

#include <vector>

#include "rankveil/publish/demand.h"
#include "rankveil/publish/points.h"

namespace rankveil::versus {

// The boxes of all groups, in their order. REQUIRES: method is greedy-deletion or greedy-insertion.
std::vector<publish::Box> run_listing(const publish::Points& points, const publish::Demand& demand);

}  // namespace rankveil::versus
