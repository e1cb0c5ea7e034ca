// What the promise does not cover: rows that are alike to nobody in their own public group.
#pragma once

#include <string>

#include "rankveil/audit/knowledge.h"

namespace rankveil::audit {

// Rows that were protected among rows that are alike in fewer columns: how many, and how often
// their values are guessed from all public columns by somebody who knows the table. Empty when
// there are none.
std::string ladder_note(const Knowledge& known);

}  // namespace rankveil::audit
