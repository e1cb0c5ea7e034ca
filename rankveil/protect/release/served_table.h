// The table as its index may know it: which values a domain has can give a row away, too.
//
// A domain that nobody declared is made of the values that rows have. A value that only rows
// without a signal have would name them, so it is not served until such a row shows something.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/ranking/workload.h"
#include "rankveil/table/table.h"

namespace rankveil {

// The table with the values of `schema` first in every domain, in their order, and its own new ones
// behind. REQUIRES: the same attributes, in any order.
Result<Table> align(const Table& table, const Schema& schema);

// Without the private values that are in none of: declared domains (`declared`, one per private
// attribute, empty: all), the first so many values (`known`, likewise; empty: 0), rows with
// `shown`. Rows that had such a value have none.
Table served_table(const Table& table, const std::vector<bool>& shown,
                   const std::vector<std::uint8_t>& declared,
                   const std::vector<std::uint32_t>& known);

// The queries in the values of another schema with the same attributes; values it lacks fall out.
Workload translated(const Workload& workload, const Schema& from, const Schema& to);

}  // namespace rankveil
