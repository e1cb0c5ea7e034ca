// Planted rows that differ in nothing but one private value: do they stay in order?
//
// Two rows with the same public values are planted, four times in this order and four times in the
// other, and each time asked for with nothing private, with the value of one, and with that of the
// other. They stay in order if these three answers agree, and if not the same value is first every
// time: that happens by chance once in 128 pairs where ties are broken by chance. Whether an audit
// may say "stay in order" is told by this and nothing else.
#pragma once

#include <cstdint>
#include <string>

#include "rankveil/audit/arena.h"
#include "rankveil/base/result.h"

namespace rankveil::audit {

struct Twins {
  std::uint32_t pairs = 0;    // planted: of each private attribute with two values or more
  std::uint32_t seen = 0;     // of these, in all answers
  std::uint32_t stayed = 0;   // of these, in order
  std::string moved_by = {};  // an attribute whose values moved a pair; empty: none did

  bool stay_in_order() const { return pairs > 0 && stayed == pairs; }
};

// REQUIRES: the arena takes inserts.
Result<Twins> plant_twins(const Arena& arena, std::uint64_t seed);

}  // namespace rankveil::audit
