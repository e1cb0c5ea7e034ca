// The rows that a kernel let through.
#pragma once

#include <cstdint>

#include "rankveil/base/bits.h"
#include "rankveil/ranking/scan/query_plan.h"

namespace rankveil {

// Clears the bits of the padding behind the last of `rows` rows.
inline std::uint64_t used_mask(std::uint32_t rows, std::uint32_t word, std::uint64_t mask) {
  if (std::uint64_t{word} * 64 + 64 <= rows) return mask;
  std::uint32_t used = rows > word * 64 ? rows - word * 64 : 0;
  return used == 0 ? 0 : mask & (~std::uint64_t{0} >> (64 - used));
}

// Calls visit(word, bit) for every row in the line's mask that `live` leaves there.
template <typename Live, typename Visit>
void for_each_bit(const kernels::HitLine& hit, const Live& live, const Visit& visit) {
  for_each_set_bit(hit.words, [&](std::uint32_t i) {
    std::uint32_t word = hit.line * kernels::words_per_line + i;
    for_each_set_bit(live(word, hit.mask[i]), [&](std::uint32_t bit) { visit(i, bit); });
  });
}

// The same for rows that take part, up to the last of the first `rows`.
template <typename Visit>
void for_each_hit(const SegmentPlan& plan, std::uint32_t rows, const kernels::HitLine& hit,
                  const Visit& visit) {
  auto used = [&](std::uint32_t word, std::uint64_t mask) {
    return used_mask(rows, word, mask & plan.filter().word(word));
  };
  for_each_bit(hit, used, visit);
}

}  // namespace rankveil
