// Which public values other rows share with the victim: what an adversary can count offline.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/attack/target.h"

namespace rankveil::attack {

// Bit i: the row has the victim's value of public attribute i. Attributes from the 64th on, and
// those of which the victim has no value, have no bit.
using Mask = std::uint64_t;

struct MaskCount {
  Mask mask;
  std::uint32_t rows;

  bool operator==(const MaskCount&) const = default;
};

// How many rows have each mask, the victim included; by ascending mask.
std::vector<MaskCount> count_agreement(const Knowledge& knowledge, std::uint32_t victim);

// The rows other than the victim that differ from it in the least weight, nearest first; of equals
// the first ones. `agreement` is what count_agreement() says.
std::vector<std::uint32_t> closest_rows(const Knowledge& knowledge, std::uint32_t victim,
                                        std::span<const MaskCount> agreement, std::size_t count);

}  // namespace rankveil::attack
