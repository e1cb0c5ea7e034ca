// Counting the bits that some bitmaps share: the inner loop of all methods that try boxes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rankveil/base/cpu.h"

namespace rankveil::publish::count {

struct Kernel {
  Isa isa;
  // How many bits of words [first, last) are set in all of `bitmaps` (1 or more). Counting ends
  // when there are more than `limit`; the answer is then some number above it.
  std::uint32_t (*shared)(const std::uint64_t* const* bitmaps, std::uint32_t number,
                          std::size_t first, std::size_t last, std::uint32_t limit);
};

const Kernel& scalar_kernel();
const Kernel& sse42_kernel();
const Kernel& avx2_kernel();

// That of the instruction set that rankings use, or the next one below.
const Kernel& kernel_in_use();
const Kernel& kernel_for(Isa isa);  // REQUIRES: supported here

}  // namespace rankveil::publish::count
