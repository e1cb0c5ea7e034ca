// Names of columns, word by word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankveil::draft {

// "bodyType", "BODY_TYPE" and "body.type2" are "body", "type"; "StreamingTV" is "streaming", "tv".
// Without case and marks; digits behind a word are left out, and so are words of digits.
std::vector<std::string> words_of(std::string_view name);

}  // namespace rankveil::draft
