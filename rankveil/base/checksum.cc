#include "rankveil/base/checksum.h"

#include <xxhash.h>

namespace rankveil {

std::uint64_t checksum(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace rankveil
