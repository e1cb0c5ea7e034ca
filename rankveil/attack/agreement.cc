#include "rankveil/attack/agreement.h"

#include <algorithm>
#include <bit>

namespace rankveil::attack {

std::vector<Mask> agreement_masks(const Knowledge& knowledge, std::uint32_t victim) {
  std::vector<Mask> masks(knowledge.rows(), 0);
  for (std::size_t i = 0; i < std::min<std::size_t>(knowledge.public_columns.size(), 64); ++i) {
    const Column& column = knowledge.public_columns[i];
    ValueId own = column.value(RowId{victim});
    if (own == missing_value) continue;
    auto mark = [&](const auto& codes) {
      for (std::size_t row = 0; row < masks.size(); ++row) {
        masks[row] |= Mask{codes[row] == +own} << i;
      }
    };
    column.is_narrow() ? mark(column.narrow()) : mark(column.wide());
  }
  return masks;
}

std::vector<MaskCount> count_masks(std::vector<Mask> masks) {
  constexpr Mask small = 1U << 12;
  std::vector<MaskCount> counts;
  if (std::all_of(masks.begin(), masks.end(), [](Mask mask) { return mask < small; })) {
    std::vector<std::uint32_t> rows(small, 0);
    for (Mask mask : masks) ++rows[mask];
    for (Mask mask = 0; mask < small; ++mask) {
      if (rows[mask] != 0) counts.push_back({mask, rows[mask]});
    }
    return counts;
  }
  std::sort(masks.begin(), masks.end());
  for (Mask mask : masks) {
    if (counts.empty() || counts.back().mask != mask) counts.push_back({mask, 0});
    ++counts.back().rows;
  }
  return counts;
}

std::vector<std::uint32_t> closest_rows(const Knowledge& knowledge, std::uint32_t victim,
                                        std::size_t count) {
  std::vector<Mask> masks = agreement_masks(knowledge, victim);
  std::vector<std::pair<std::int64_t, std::uint32_t>> rows;  // weight shared, negative; row
  rows.reserve(masks.size());
  for (std::uint32_t row = 0; row < masks.size(); ++row) {
    if (row == victim) continue;
    std::int64_t shared = 0;
    for (Mask left = masks[row]; left != 0; left &= left - 1) {
      shared += knowledge.weights.units[static_cast<std::size_t>(std::countr_zero(left))];
    }
    rows.emplace_back(-shared, row);
  }
  count = std::min(count, rows.size());
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), rows.end());
  std::vector<std::uint32_t> closest;
  for (std::size_t i = 0; i < count; ++i) closest.push_back(rows[i].second);
  return closest;
}

}  // namespace rankveil::attack
