// A table for tests: private columns lean on public ones and on each other.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil::testing_support {

// `rows` rows with two public columns and three private ones that lean on them and on each other.
inline OwnTask leaning_rows(std::uint32_t rows, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::vector<int>> codes;
  for (std::uint32_t r = 0; r < rows; ++r) {
    int a = static_cast<int>(rng.below(6));
    int b = static_cast<int>(rng.below(4));
    int x = rng.below(3) == 0 ? static_cast<int>(rng.below(4)) : (a + b) % 4;
    int y = rng.below(3) == 0 ? static_cast<int>(rng.below(3)) : x % 3;
    int z = rng.below(10) == 0 ? -1 : static_cast<int>(rng.below(2));
    codes.push_back({a, b, x, y, z});
  }
  return OwnTask{coded_table(codes, 2, {6, 4, 4, 3, 2})};
}

}  // namespace rankveil::testing_support
