// CSV as we write it: commas, quotes doubled, lines that end in \n.
#pragma once

#include <string>
#include <string_view>

namespace rankveil::connect {

// The text as it stands between two commas.
std::string csv_cell(std::string_view text);

}  // namespace rankveil::connect
