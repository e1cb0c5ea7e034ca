// The style sheet that pages carry.
#pragma once

#include <string_view>

namespace rankveil::reports {

std::string_view page_style();

}  // namespace rankveil::reports
