// Policy files are edited by hand, so nothing replaces one unasked.
#pragma once

#include <string>
#include <string_view>

#include "rankveil/base/result.h"

namespace rankveil::api {

// Refuses, as wrong use, a path that holds something other than `text` already, unless `force`.
Status check_may_write_policy(const std::string& path, std::string_view text, bool force);

// check_may_write_policy, then the file, complete or not at all.
Status write_policy(const std::string& path, std::string_view text, bool force);

}  // namespace rankveil::api
