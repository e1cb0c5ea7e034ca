// The true values of the rows that are attacked, numbered as the target numbers them.
#pragma once

#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/ranking/index.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

// The rows of `index` with their values in `table`: attributes, domains and rows in the order of
// the index. Private attributes that the index does not have are left out. A value that the index
// does not know is missing: nobody can ask for it. Refuses: rows, or attributes, of the
// index that the table does not have.
Result<Table> truth_of(const Table& table, const Index& index);

// Which row of the table each row of the index is, by name; refuses as truth_of does.
Result<std::vector<RowId>> rows_by_name(const Table& table, const Index& index);

// Other rows of the same kind, with the attributes and domains of `schema`; values it does not know
// are missing. Refuses a table without one of its attributes.
Result<Table> recoded_like(const Table& table, const Schema& schema);

// Tells tables apart: 16 hexadecimal digits over names, domains, values and ids. No secret, and no
// protection against forgery.
std::string fingerprint(const Table& table);

}  // namespace rankveil::audit
