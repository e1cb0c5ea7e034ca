// DuckDB's messages run over many lines and quote rows; ours are one sentence without them.
#pragma once

#include <string_view>

#include "rankveil/base/error.h"

namespace rankveil::connect {

// "IO Error: ..." becomes ErrorCode::Io, everything else BadInput. No message shows a value of the
// rows, which may be private: a broken CSV line is named by its number, and in messages about
// values (conversions, ranges, input) dots stand for what is quoted and for bare numbers. Names of
// columns and types stay. Messages about the SQL itself say what is wrong with the SELECT: its
// syntax, and which table, column or function it lacks.
// What DuckDB says of itself, and advises in its own terms, becomes a sentence of ours. Out of
// memory throws std::bad_alloc.
Error error_from_duckdb(std::string_view message);

}  // namespace rankveil::connect
