// The counting loop, compiled once for each instruction set.
#pragma once

#include <bit>

#include "rankveil/publish/count/kernel.h"

namespace rankveil::publish::count {
namespace {

struct Body {
  static constexpr std::size_t block = 16;

  static std::uint32_t block_of(const std::uint64_t* const* bitmaps, std::uint32_t number,
                                std::size_t first) {
    std::uint64_t words[block];
    for (std::size_t i = 0; i < block; ++i) words[i] = bitmaps[0][first + i];
    for (std::uint32_t b = 1; b < number; ++b) {
      const std::uint64_t* bitmap = bitmaps[b] + first;
      for (std::size_t i = 0; i < block; ++i) words[i] &= bitmap[i];
    }
    std::uint64_t set = 0;
    for (std::uint64_t word : words) set += static_cast<std::uint64_t>(std::popcount(word));
    return static_cast<std::uint32_t>(set);
  }

  static std::uint32_t shared(const std::uint64_t* const* bitmaps, std::uint32_t number,
                              std::size_t first, std::size_t last, std::uint32_t limit) {
    std::uint32_t set = 0;
    for (; first + block <= last; first += block) {
      set += block_of(bitmaps, number, first);
      if (set > limit) return set;
    }
    for (; first < last; ++first) {
      std::uint64_t word = bitmaps[0][first];
      for (std::uint32_t b = 1; b < number; ++b) word &= bitmaps[b][first];
      set += static_cast<std::uint32_t>(std::popcount(word));
    }
    return set;
  }
};

}  // namespace
}  // namespace rankveil::publish::count
