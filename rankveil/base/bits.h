// The set bits of words.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace rankveil {

// Calls visit(i) for every bit i that is set, the lowest first.
template <typename Visit>
void for_each_set_bit(std::uint64_t word, const Visit& visit) {
  for (; word != 0; word &= word - 1) visit(static_cast<std::uint32_t>(std::countr_zero(word)));
}

// The same of words side by side: bit i of word w is number 64 w + i.
template <typename Visit>
void for_each_set_bit(const std::uint64_t* words, std::size_t count, const Visit& visit) {
  for (std::size_t w = 0; w < count; ++w) {
    for_each_set_bit(words[w], [&](std::uint32_t bit) { visit(w * 64 + bit); });
  }
}

}  // namespace rankveil
