// What everybody does today: private attributes leave the score.
//
// Every strength is 0, for rows that take no part as well.
//
// Promises  that the ranking tells nothing about private values, to anybody.
// Cost      all the good that private values do to the ranking.
#pragma once

#include "rankveil/protect/task.h"

namespace rankveil {

Result<Protection> protect_drop(const Task& task);

}  // namespace rankveil
