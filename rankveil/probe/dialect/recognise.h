// Which dialect a service speaks, by the shape of its listing.
#pragma once

#include <string>
#include <string_view>

#include "rankveil/base/json.h"

namespace rankveil::probe {

// The name of a dialect that comes with the program; "rest" when it looks like none of the others.
// `path`: of the address, "/items/people".
std::string recognise(const Json& listing, std::string_view path);

}  // namespace rankveil::probe
