// The rows that a kernel let through.
#pragma once

#include <bit>
#include <cstdint>

#include "rankveil/ranking/scan/query_plan.h"

namespace rankveil {

// Clears the bits of the padding behind the last of `rows` rows.
inline std::uint64_t used_mask(std::uint32_t rows, std::uint32_t word, std::uint64_t mask) {
  if (std::uint64_t{word} * 64 + 64 <= rows) return mask;
  std::uint32_t used = rows > word * 64 ? rows - word * 64 : 0;
  return used == 0 ? 0 : mask & (~std::uint64_t{0} >> (64 - used));
}

// Clears these, and the bits of exceptional rows, and of deleted ones, except with groups, where
// bits are not rows. Made once for many lines: what it needs is here and there.
class RankedRows {
 public:
  explicit RankedRows(const SegmentPlan& plan)
      : rows_(plan.segment().rows), exceptional_(plan.exceptional()) {
    bool deleted = plan.slot().deleted != nullptr && !plan.grouped();
    if (deleted) deleted_ = plan.slot().deleted->data();
  }

  std::uint64_t mask(std::uint32_t word, std::uint64_t mask) const {
    mask = used_mask(rows_, word, mask);
    if (exceptional_ != nullptr) mask &= ~exceptional_->mask(word);
    if (deleted_ != nullptr) mask &= ~deleted_[word];
    return mask;
  }

 private:
  std::uint32_t rows_;
  const ExceptionalRows* exceptional_;
  const std::uint64_t* deleted_ = nullptr;
};

// Calls visit(word, bit) for every row in the line's mask that `live` leaves there.
template <typename Live, typename Visit>
void for_each_bit(const kernels::HitLine& hit, const Live& live, const Visit& visit) {
  for (std::uint32_t words = hit.words; words != 0; words &= words - 1) {
    auto i = static_cast<std::uint32_t>(std::countr_zero(words));
    std::uint32_t word = hit.line * kernels::words_per_line + i;
    for (std::uint64_t left = live(word, hit.mask[i]); left != 0; left &= left - 1) {
      visit(i, static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }
}

template <typename Visit>
void for_each_row(const RankedRows& rows, const kernels::HitLine& hit, const Visit& visit) {
  auto live = [&](std::uint32_t word, std::uint64_t mask) { return rows.mask(word, mask); };
  for_each_bit(hit, live, visit);
}

}  // namespace rankveil
