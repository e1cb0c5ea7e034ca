// What a damaged index file still says about itself.
#pragma once

#include <optional>
#include <string>

#include "rankveil/base/json.h"

namespace rankveil {

// Its notes (IndexInfo::notes), where that part of the file is whole, whatever else is damaged.
std::optional<Json> notes_of_damaged(const std::string& path);

}  // namespace rankveil
