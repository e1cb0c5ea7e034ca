// The part of an evaluation's page that holds attacks against theorems.
#pragma once

#include "rankveil/graphs/operations/graph_evaluate.h"
#include "rankveil/report/page.h"

namespace rankveil::api {

// The bound over background knowledge, the measured rates with their intervals on the same plot,
// and a table of every crossing.
reports::Section bounds_section(const GraphEvaluateResult& result);

}  // namespace rankveil::api
