// What swap was before it had a model of people: circles among rows that are alike in ever fewer
// public columns. The promise does not hold on coarse rungs, where who shows a vector that fits
// their own public values has probably kept it. Audits must catch it.
#pragma once

#include "rankveil/base/result.h"
#include "rankveil/protect/task.h"

namespace rankveil::testing_support {

// Goes by the task's ladder and demand.min_group.
Result<Protection> protect_rung_swap(const Task& task);

}  // namespace rankveil::testing_support
