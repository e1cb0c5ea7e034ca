// A table as it is protected: its rows in the order in which they will be served, and what schemes
// are told of the people behind them.
#pragma once

#include <vector>

#include "rankveil/base/keyed.h"
#include "rankveil/connect/source.h"
#include "rankveil/protect/task.h"
#include "rankveil/table/policy.h"

namespace rankveil::api {

// Puts the rows, and all that is known of them, in keyed order (protect/rows/keyed_order.h);
// persons are numbered anew, as they come.
void arrange_as_served(connect::LoadedTable& loaded, const SecretKey& key);

// Task::together: what the policy joins, of the attributes that the schema has.
std::vector<std::vector<PrivateId>> together_of(const Policy& policy, const Schema& schema);

// Says in the task who the rows belong to and which columns go together. REQUIRES: its table has
// the rows of `people`, in their order.
void add_people(const Policy& policy, const connect::RowPeople& people, Task& task);

}  // namespace rankveil::api
