// What a query asks of a segment: attributes and their weights, and planes and what they count.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/table/column.h"

namespace rankveil {

struct Wish {
  std::uint32_t attribute;
  const std::vector<ValueId>* values;
  std::int64_t weight;  // what a full public match, a shown value, or one level counts
};

// A plane and what a set bit adds to the score.
struct Feed {
  const std::uint64_t* plane;
  std::int64_t weight;

  // Without a branch: nobody can guess these bits.
  std::int64_t at(std::uint32_t position) const {
    std::uint64_t bit = (plane[position / 64] >> (position % 64)) & 1;
    return weight & -static_cast<std::int64_t>(bit);
  }
};

}  // namespace rankveil
