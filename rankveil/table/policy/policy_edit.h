// Changes to the text of a policy that leave the rest of it as somebody wrote it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rankveil/base/result.h"

namespace rankveil {

// The policy with this scheme and l; comments, order and spacing stay. A key that the text lacks
// becomes a line at its beginning. `source` names the text in messages. Refuses a text that is no
// policy, and one whose lines cannot be changed one by one (a value written over several lines).
Result<std::string> with_scheme(std::string_view policy, std::string_view source,
                                std::string_view scheme, std::uint32_t l);

}  // namespace rankveil
