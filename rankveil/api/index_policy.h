// The policy that an index remembers.
#pragma once

#include "rankveil/ranking/index.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil::api {

// Names, roles, weights and domains. Bins are not in an index: a column that was binned has their
// labels for a domain, which the numbers of the table do not fit.
Policy policy_of_index(const Index& index);

}  // namespace rankveil::api
