// A fast 64-bit checksum (XXH3) against accidents: truncation, flipped bits, wrong files. No
// protection against somebody who wants to forge a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rankveil {

std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace rankveil
