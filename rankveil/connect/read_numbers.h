// Columns of numbers, as they are: for what ranks and sums values that no policy cuts into bins.
#pragma once

#include <string>
#include <vector>

#include "rankveil/connect/source.h"

namespace rankveil::connect {

// One vector for each of `columns`; a missing value is NaN. Refuses, in one sentence: a column that
// is not there, and text that is no finite number (naming the row).
Result<std::vector<std::vector<double>>> read_numbers(const Source& source,
                                                      const std::vector<std::string>& columns,
                                                      const ReadOptions& options = {});

}  // namespace rankveil::connect
