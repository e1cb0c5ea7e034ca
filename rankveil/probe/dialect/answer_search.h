// Rows and ids in answers that nobody has described.
#pragma once

#include <optional>
#include <string>

#include "rankveil/base/json.h"

namespace rankveil::probe {

// The answer itself, or the list in it that comes first, the upper ones before those inside; lists
// of objects before empty ones. Null: there is none.
const Json* search_rows(const Json& answer);

// What is called id, _id, uuid or the like; at first in the row, then in what lies directly in it.
// Null: nothing is.
const Json* search_id(const Json& row);

// Ids are texts or whole numbers.
std::optional<std::string> id_text(const Json* id);

}  // namespace rankveil::probe
