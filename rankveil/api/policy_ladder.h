// The ladder of a policy, as attributes of a table.
#pragma once

#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/table/policy/policy.h"
#include "rankveil/table/schema.h"

namespace rankveil::api {

// Refuses a rung that names a column which is not public.
Result<std::vector<std::vector<AttributeId>>> ladder_of(const Policy& policy, const Schema& schema);

}  // namespace rankveil::api
