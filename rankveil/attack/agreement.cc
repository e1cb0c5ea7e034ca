#include "rankveil/attack/agreement.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace rankveil::attack {

namespace {

// Rows are taken block by block, so that masks stay in the cache and are never written down.
constexpr std::uint32_t block = 4096;
constexpr std::size_t few = 16;  // so many attributes fit a short mask, and masks a table

std::size_t attributes_of(const Knowledge& knowledge) {
  return std::min<std::size_t>(knowledge.public_columns.size(), 64);
}

template <typename Word>
void find_masks(const Knowledge& knowledge, std::uint32_t victim, std::uint32_t first,
                std::span<Word> masks) {
  std::fill(masks.begin(), masks.end(), 0);
  for (std::size_t i = 0; i < attributes_of(knowledge); ++i) {
    const Column& column = knowledge.public_columns[i];
    ValueId own = column.value(RowId{victim});
    if (own == missing_value) continue;
    auto mark = [&](const auto* codes) {
      for (std::size_t row = 0; row < masks.size(); ++row) {
        masks[row] |= static_cast<Word>(Word{codes[row] == +own} << i);
      }
    };
    column.is_narrow() ? mark(column.narrow().data() + first) : mark(column.wide().data() + first);
  }
}

// Calls `take` with the first row and the masks of each block.
template <typename Word, typename Take>
void for_each_block(const Knowledge& knowledge, std::uint32_t victim, const Take& take) {
  std::array<Word, block> room;
  for (std::uint32_t first = 0; first < knowledge.rows(); first += block) {
    auto masks = std::span(room).first(std::min(block, knowledge.rows() - first));
    find_masks<Word>(knowledge, victim, first, masks);
    take(first, std::span<const Word>(masks));
  }
}

template <typename Take>
void for_each_block(const Knowledge& knowledge, std::uint32_t victim, const Take& take) {
  if (attributes_of(knowledge) <= few) {
    for_each_block<std::uint16_t>(knowledge, victim, take);
  } else {
    for_each_block<Mask>(knowledge, victim, take);
  }
}

std::vector<MaskCount> count_in_table(const Knowledge& knowledge, std::uint32_t victim) {
  std::vector<std::uint32_t> rows(std::size_t{1} << attributes_of(knowledge), 0);
  for_each_block(knowledge, victim, [&](std::uint32_t, auto masks) {
    for (Mask mask : masks) ++rows[mask];
  });
  std::vector<MaskCount> counts;
  for (Mask mask = 0; mask < rows.size(); ++mask) {
    if (rows[mask] != 0) counts.push_back({mask, rows[mask]});
  }
  return counts;
}

std::vector<MaskCount> count_by_sorting(const Knowledge& knowledge, std::uint32_t victim) {
  std::vector<Mask> all;
  all.reserve(knowledge.rows());
  for_each_block(knowledge, victim, [&](std::uint32_t, auto masks) {
    all.insert(all.end(), masks.begin(), masks.end());
  });
  std::sort(all.begin(), all.end());
  std::vector<MaskCount> counts;
  for (Mask mask : all) {
    if (counts.empty() || counts.back().mask != mask) counts.push_back({mask, 0});
    ++counts.back().rows;
  }
  return counts;
}

std::int64_t shared_weight(const Knowledge& knowledge, Mask mask) {
  std::int64_t shared = 0;
  for (; mask != 0; mask &= mask - 1) {
    shared += knowledge.weights.units[static_cast<std::size_t>(std::countr_zero(mask))];
  }
  return shared;
}

// The weight that the last of the closest rows shares; `count` + 1 rows, with the victim, share it
// or more.
std::int64_t least_shared(const Knowledge& knowledge, std::span<const MaskCount> agreement,
                          std::size_t count) {
  std::vector<std::pair<std::int64_t, std::uint32_t>> by_weight;
  for (const MaskCount& one : agreement) {
    by_weight.emplace_back(shared_weight(knowledge, one.mask), one.rows);
  }
  std::sort(by_weight.begin(), by_weight.end(), std::greater<>());
  std::size_t seen = 0;
  for (const auto& [shared, rows] : by_weight) {
    seen += rows;
    if (seen > count) return shared;
  }
  return std::numeric_limits<std::int64_t>::min();
}

}  // namespace

std::vector<MaskCount> count_agreement(const Knowledge& knowledge, std::uint32_t victim) {
  return attributes_of(knowledge) <= few ? count_in_table(knowledge, victim)
                                         : count_by_sorting(knowledge, victim);
}

std::vector<std::uint32_t> closest_rows(const Knowledge& knowledge, std::uint32_t victim,
                                        std::span<const MaskCount> agreement, std::size_t count) {
  std::int64_t least = least_shared(knowledge, agreement, count);
  std::vector<Mask> near;  // ascending, as in `agreement`
  for (const MaskCount& one : agreement) {
    if (shared_weight(knowledge, one.mask) >= least) near.push_back(one.mask);
  }
  std::vector<std::pair<std::int64_t, std::uint32_t>> rows;  // weight shared, negative; row
  for_each_block(knowledge, victim, [&](std::uint32_t first, auto masks) {
    for (std::uint32_t i = 0; i < masks.size(); ++i) {
      if (!std::binary_search(near.begin(), near.end(), masks[i]) || first + i == victim) continue;
      rows.emplace_back(-shared_weight(knowledge, masks[i]), first + i);
    }
  });
  std::sort(rows.begin(), rows.end());
  rows.resize(std::min(count, rows.size()));
  std::vector<std::uint32_t> closest;
  closest.reserve(rows.size());
  for (const auto& [shared, row] : rows) closest.push_back(row);
  return closest;
}

}  // namespace rankveil::attack
