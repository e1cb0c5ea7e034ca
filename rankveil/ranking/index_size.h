// How large an index file will be, before it is made.
#pragma once

#include <cstdint>

#include "rankveil/table/table.h"
#include "rankveil/table/telling/summary.h"

namespace rankveil {

// Bytes of the file that write_index makes of the unprotected index of a table. Exact.
// REQUIRES: `summary` is that of the table. `default_k` is that of the IndexInfo, which has no
// notes. Cost: a pass over ids that are numbers, and the text of all domains once.
std::uint64_t unprotected_index_bytes(const Table& table, const TableSummary& summary,
                                      std::uint32_t default_k);

}  // namespace rankveil
