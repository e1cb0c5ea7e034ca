// In which order the rows of a SELECT come. Equal scores go by row order, so it must be the same
// each time, and should not hang on private values.
#pragma once

#include <string>

#include "rankveil/base/result.h"
#include "rankveil/connect/duckdb/session.h"

namespace rankveil::connect {

struct RowOrder {
  bool one_thread = false;  // only then it is the same each time
  bool by_values = false;  // it follows from how rows are joined or grouped, and nothing sorts them
};

// `from` goes behind FROM.
Result<RowOrder> row_order(Session& session, const std::string& from);

}  // namespace rankveil::connect
