// What a table's numbers mean for protecting it, in sentences for its owner.
#pragma once

#include <string>
#include <vector>

#include "rankveil/table/policy/policy.h"
#include "rankveil/table/table.h"
#include "rankveil/table/telling/summary.h"

namespace rankveil::api {

std::vector<std::string> hints(const TableSummary& summary, const Policy& policy);

// Public values whose rows mostly share a private one (table/telling/telling_values.h), as one more
// hint.
void add_telling_values(const Table& table, const Policy& policy, std::uint32_t threads,
                        std::vector<std::string>& hints);

}  // namespace rankveil::api
