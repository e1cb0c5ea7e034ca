// Columns of text, as they are: for lists that are no tables to rank.
#pragma once

#include <string>
#include <vector>

#include "rankveil/connect/source.h"

namespace rankveil::connect {

// One vector for each of `columns`; a missing value is empty. Refuses a column that is not there.
Result<std::vector<std::vector<std::string>>> read_texts(const Source& source,
                                                         const std::vector<std::string>& columns);

}  // namespace rankveil::connect
