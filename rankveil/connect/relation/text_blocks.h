// The bytes of a text file in blocks, unpacked when the file is gzipped.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "rankveil/base/result.h"

namespace rankveil::connect {

// Hands over block after block; `done` in [0, 1] is how much of the file is read. Stops at the
// first refusal of `take`. A gzipped file is told by its first bytes, whatever it is called; a
// damaged or cut one is refused.
Status read_blocks(const std::string& path,
                   const std::function<Status(std::string_view block, double done)>& take);

}  // namespace rankveil::connect
