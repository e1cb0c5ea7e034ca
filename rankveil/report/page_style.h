// The style sheet that pages carry.
#pragma once

#include <string_view>

namespace rankveil::report {

std::string_view page_style();

}  // namespace rankveil::report
