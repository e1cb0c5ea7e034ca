// What every operation that writes an index checks before its long work.
#pragma once

#include <string>

#include "rankveil/base/result.h"

namespace rankveil::api {

bool file_exists(const std::string& path);

// A missing folder or permission is met before the work.
Status check_can_write(const std::string& path);

// Likewise, and only an index is replaced.
Status check_index_output(const std::string& path);

}  // namespace rankveil::api
