// What every operation that writes an index checks before its long work.
#pragma once

#include <string>

#include "rankveil/base/result.h"

namespace rankveil::api {

bool file_exists(const std::string& path);

// Only an index is replaced. A missing folder or permission is met here, not after the work.
Status check_index_output(const std::string& path);

}  // namespace rankveil::api
