// Whom a promise is made for, as summaries print it.
#pragma once

#include <string>
#include <vector>

#include "rankveil/promise/claim.h"

namespace rankveil::cli {

// A line for levels without a condition, and one for each condition.
std::string against_text(const Promise& promise, const std::vector<AdversaryLevel>& levels);

}  // namespace rankveil::cli
