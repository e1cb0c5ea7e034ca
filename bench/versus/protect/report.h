// The results as a Markdown page for people and as JSON for programs.
#pragma once

#include <string>

#include "bench/versus/protect/results.h"
#include "rankveil/base/json.h"

namespace rankveil::versus {

std::string to_markdown(const Results& results);
// {"timings": [...], "figures": [...], "serving": [...]}, times in seconds unless named otherwise.
Json to_json(const Results& results);

}  // namespace rankveil::versus
