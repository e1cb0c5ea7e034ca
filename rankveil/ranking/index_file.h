// The index file: one file, memory-mapped, every section checksummed. Layout in
// docs/reference/index-format.md.
#pragma once

#include <string>

#include "rankveil/base/result.h"
#include "rankveil/ranking/index.h"

namespace rankveil {

enum class Verify {
  Everything,  // read the whole file once; any damage is found now
  OnUse,       // check each section when a query first needs it; opens in well under a millisecond
};

// Written to a temporary name beside `path`, synced, then renamed: never half a file.
Status write_index(const Index& index, const std::string& path);
Result<Index> open_index(const std::string& path, Verify verify = Verify::Everything);

}  // namespace rankveil
