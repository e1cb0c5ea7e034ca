// Where something stands in JSON (RFC 6901): "/user/token", "/hits/0/id", "" for all of it.
#pragma once

#include <string>
#include <string_view>

#include "rankveil/base/json.h"

namespace rankveil {

// Null when there is nothing, or the pointer does not begin with a slash.
const Json* find_at(const Json& json, std::string_view pointer);

// A step as it is meant: ~1 is a slash, ~0 a tilde.
std::string unescaped_step(std::string_view step);

}  // namespace rankveil
