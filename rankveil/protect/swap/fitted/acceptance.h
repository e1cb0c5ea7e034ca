// With which chance an exchange is made, in whole numbers: the same on every machine.
#pragma once

#include <array>
#include <cstdint>

namespace rankveil::fitted {

// Scores are logarithms in parts of 1024, at most so large.
inline constexpr int score_unit = 1024;
inline constexpr int largest_score = 16'000;

// floor(2^64 e^(-i / 1024)) and floor(2^64 e^-i); the first of each, which would not fit, is one
// less.
extern const std::array<std::uint64_t, 1024> fine_powers;
extern const std::array<std::uint64_t, 40> coarse_powers;

// 2^64 e^(-worse / 1024), less at most a few units. REQUIRES: 0 < worse < 40 * 1024.
inline std::uint64_t acceptance(std::uint32_t worse) {
  auto product =
      static_cast<unsigned __int128>(fine_powers[worse % 1024]) * coarse_powers[worse / 1024];
  return static_cast<std::uint64_t>(product >> 64);
}

// Whether an exchange is made that changes the sum of scores by `change`, given a random word.
inline bool accepts(std::int64_t change, std::uint64_t word) {
  if (change >= 0) return true;
  return -change < std::int64_t{40} * score_unit &&
         word < acceptance(static_cast<std::uint32_t>(-change));
}

}  // namespace rankveil::fitted
