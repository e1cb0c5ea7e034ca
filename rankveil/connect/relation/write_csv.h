// A table as CSV, without DuckDB: every value's text is prepared once and copied row by row.
#pragma once

#include "rankveil/base/file.h"
#include "rankveil/connect/relation/telling.h"
#include "rankveil/table/table.h"

namespace rankveil::connect {

Status write_csv(const Table& table, AtomicFile& file, Teller& tell);

}  // namespace rankveil::connect
