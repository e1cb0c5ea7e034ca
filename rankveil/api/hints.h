// What a table's numbers mean for protecting it, in sentences for its owner.
#pragma once

#include <string>
#include <vector>

#include "rankveil/table/policy.h"
#include "rankveil/table/summary.h"

namespace rankveil::api {

std::vector<std::string> hints(const TableSummary& summary, const Policy& policy);

}  // namespace rankveil::api
