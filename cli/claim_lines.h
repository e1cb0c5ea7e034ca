// Whom a promise is made for, as summaries print it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rankveil/promise/claim.h"

namespace rankveil::cli {

// The promise behind `head`, and below it what its words mean.
std::string promise_lines(std::string_view head, const Promise& promise);

// A line for levels without a condition, and one for each condition.
std::string against_text(const Promise& promise, const std::vector<AdversaryLevel>& levels);

}  // namespace rankveil::cli
