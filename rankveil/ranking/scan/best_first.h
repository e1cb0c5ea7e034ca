// Sorting rows by score.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/ranking/index.h"

namespace rankveil {

// Higher score first, then lower row. An object rather than a function, so that sorting needs no
// calls.
struct RanksBefore {
  bool operator()(const Hit& left, const Hit& right) const {
    return left.score != right.score ? left.score > right.score : +left.row < +right.row;
  }
};
inline constexpr RanksBefore ranks_before;

// Leaves the best k, best first.
void keep_best(std::vector<Hit>& hits, std::uint32_t k);

}  // namespace rankveil
