// Which public values other rows share with the victim: what an adversary can count offline.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/attack/target.h"

namespace rankveil::attack {

// Bit i: the row has the victim's value of public attribute i. Attributes from the 64th on, and
// those of which the victim has no value, have no bit.
using Mask = std::uint64_t;

struct MaskCount {
  Mask mask;
  std::uint32_t rows;
};

// One per row.
std::vector<Mask> agreement_masks(const Knowledge& knowledge, std::uint32_t victim);
// How many rows have each mask, the victim included.
std::vector<MaskCount> count_masks(std::vector<Mask> masks);

// The rows other than the victim that differ from it in the least weight, nearest first; of equals
// the first ones.
std::vector<std::uint32_t> closest_rows(const Knowledge& knowledge, std::uint32_t victim,
                                        std::size_t count);

}  // namespace rankveil::attack
