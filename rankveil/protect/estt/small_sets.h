// The cheapest partition of a small group into pairs, by trying all.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/protect/estt/code_rows.h"

namespace rankveil {

inline constexpr std::uint32_t max_small_rows = 12;

// Pairs side by side; of an odd number of rows, the last three are one set. For l = 2.
// REQUIRES: 2 to max_small_rows rows.
std::vector<std::uint32_t> cheapest_small_pairs(const CodeRows& rows);

}  // namespace rankveil
