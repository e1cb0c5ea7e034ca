// Numbers as tables write them.
#pragma once

#include <optional>
#include <string_view>

namespace rankveil {

// "18", " -2.5 ", "+1e3". Nothing for text that is no finite number.
std::optional<double> number_from_text(std::string_view text);

}  // namespace rankveil
