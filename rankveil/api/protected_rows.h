// A table as it is protected: its rows in the order in which they will be served, and what schemes
// are told of the people behind them.
#pragma once

#include <string>
#include <vector>

#include "rankveil/base/keys/keyed.h"
#include "rankveil/connect/source.h"
#include "rankveil/protect/rows/served_ids.h"
#include "rankveil/protect/task.h"
#include "rankveil/ranking/index.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil::api {

// Puts the rows, and all that is known of them, in keyed order (protect/rows/keyed_order.h);
// persons are numbered anew, as they come.
void arrange_as_served(connect::LoadedTable& loaded, const SecretKey& key);

// What the rows of an output are called: as the policy says. Keyed names hang on the name of the
// output's file: every build of it has the same, and other outputs have others.
ServedIds served_ids_for(const Policy& policy, const std::string& output);

// The public part of a table in keyed order, as it is served.
Result<PublicTable> rows_to_serve(const Table& table, const ServedIds& ids, const SecretKey& key);

// The table with its rows called as the index calls them (protect/rows/served_ids.h). Reads the key
// only where that takes one; `key_path` may then not be empty.
Result<Table> called_as_served(const Index& index, const Table& table, const std::string& key_path);

// Task::together: what the policy joins, of the attributes that the schema has.
std::vector<std::vector<PrivateId>> together_of(const Policy& policy, const Schema& schema);

// Says in the task who the rows belong to and which columns go together. REQUIRES: its table has
// the rows of `people`, in their order.
void add_people(const Policy& policy, const connect::RowPeople& people, Task& task);

}  // namespace rankveil::api
