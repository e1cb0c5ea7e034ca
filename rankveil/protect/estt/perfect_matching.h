// The cheapest way to pair up things, exactly (by LEMON).
//
// Cost  about n^3 to n^4; 0.1 s for 500.
#pragma once

#include <cstdint>
#include <vector>

namespace rankveil {

// `costs` is [left][right], n x n, the same both ways. Gives everyone's partner. REQUIRES: n even.
std::vector<std::uint32_t> cheapest_matching(std::uint32_t n,
                                             const std::vector<std::int32_t>& costs);

}  // namespace rankveil
