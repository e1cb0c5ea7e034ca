// DuckDB's messages run over many lines and quote rows; ours are one sentence without them.
#pragma once

#include <string_view>

#include "rankveil/base/error.h"

namespace rankveil::connect {

// "IO Error: ..." becomes ErrorCode::Io, everything else BadInput. A broken CSV line is named by
// its number and never quoted: it may hold private values.
Error error_from_duckdb(std::string_view message);

}  // namespace rankveil::connect
