// How rows are called in an index: by their id, by a keyed name, or by their place alone.
//
//   ServedIds ids{IdForm::Keyed, "people.rankveil"};
//   auto names = served_names(table.names(), ids, key);
//
// A keyed name is 16 hexadecimal digits of a keyed hash of the id. Who has the key and a list of
// ids finds out which is which; who has not learns nothing, nor which rows of two outputs are one
// person's. The ledger goes by true ids, whatever an index calls them.
#pragma once

#include <string>
#include <string_view>

#include "rankveil/base/json.h"
#include "rankveil/base/keys/keyed.h"
#include "rankveil/base/result.h"
#include "rankveil/ranking/index.h"
#include "rankveil/table/policy/policy.h"
#include "rankveil/table/table.h"

namespace rankveil {

struct ServedIds {
  IdForm form = IdForm::Plain;
  // The name of the index's file: other outputs have other keyed names.
  std::string output = {};
  bool operator==(const ServedIds&) const = default;
};

// The note "ids" of an index. One that says nothing serves them in plain.
Json to_json(const ServedIds& ids);
ServedIds served_ids_of(const IndexInfo& info);

// What rows called `ids` are called. REQUIRES: rows in keyed order (keyed_order.h) where the form
// is None. Refuses ids of which two would be called the same (one in 10^5 tables of 10^7 rows).
Result<RowNames> served_names(const RowNames& ids, const ServedIds& served, const SecretKey& key);

// The table with its rows called as they are in the index, by their place there where they have no
// names. `key`: null where there is none. Refuses to go without it unless ids are plain, and, where
// rows have no names, a table with another number of rows than the index.
Result<Table> called_as_in(const Index& index, const Table& table, const SecretKey* key);

// The index with its rows called by their ids, for those of `ids` that it has; where rows have no
// names, `ids` must be those of all its rows, in any order. Plain ones stay. Refuses another number
// of ids than rows in the latter case.
Result<Index> called_by_ids(const Index& index, const RowNames& ids, const SecretKey& key);

}  // namespace rankveil
