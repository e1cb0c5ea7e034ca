#include "rankveil/attack/agreement.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <limits>
#include <utility>

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

// ---- reach ----

namespace {

// Twice what rows count for that pass the victim only if it does not match.
std::int64_t below_twice(std::int64_t gap, std::int64_t weight) {
  if (gap > 0 && gap < weight) return 2;
  return (gap == 0 ? 1 : 0) + (gap == weight ? 1 : 0);
}

Reach reach_of(std::int64_t level, std::int64_t below_twice) {
  constexpr std::int64_t victim = 1;  // is level with itself
  return {static_cast<double>(level - victim) / 2, static_cast<double>(below_twice - victim) / 2};
}

// Whether a weight that is missing falls to `most` when its two heaviest parts are left out.
bool comes_within(const Knowledge& knowledge, Mask missing, std::int64_t most) {
  std::int64_t sum = 0, first = 0, second = 0;
  for (; missing != 0; missing &= missing - 1) {
    std::int64_t unit =
        knowledge.weights.units[static_cast<std::size_t>(std::countr_zero(missing))];
    sum += unit;
    if (unit > first) std::swap(unit, first);
    second = std::max(unit, second);
    if (sum - first - second > most) return false;
  }
  return true;
}

}  // namespace

std::vector<MaskCount> near_agreement(const Knowledge& knowledge,
                                      std::span<const MaskCount> agreement, Mask asked,
                                      std::int64_t weight) {
  std::vector<MaskCount> near;
  for (const MaskCount& count : agreement) {
    if (comes_within(knowledge, asked & ~count.mask, weight)) near.push_back(count);
  }
  return near;
}

Reach count_reach(const Knowledge& knowledge, std::span<const MaskCount> agreement, Mask subset,
                  std::int64_t weight) {
  std::int64_t level = 0, below = 0;
  for (const MaskCount& count : agreement) {
    std::int64_t gap = shared_weight(knowledge, subset & ~count.mask);
    if (gap == 0) level += count.rows;
    below += below_twice(gap, weight) * count.rows;
  }
  return reach_of(level, below);
}

void ReachCounts::Rows::add(const Rows& other, std::int64_t times) {
  level += times * other.level;
  below_twice += times * other.below_twice;
}

ReachCounts::Rows ReachCounts::rows_at(std::int64_t gap) const {
  return {gap == 0 ? 1 : 0, attack::below_twice(gap, weight_)};
}

ReachCounts::ReachCounts(const Knowledge& knowledge, std::span<const MaskCount> near, Mask asked,
                         std::int64_t weight)
    : weight_(weight), singles_(64), pairs_(std::size_t{64} * 64) {
  for (const MaskCount& count : near) {
    Mask missing = asked & ~count.mask;
    add(missing, shared_weight(knowledge, missing), count.rows, knowledge.weights.units);
  }
}

// What leaving out attributes changes for rows that lack them: for one, and for two beyond what
// each does alone.
void ReachCounts::add(Mask missing, std::int64_t gap, std::int64_t rows,
                      std::span<const std::int64_t> units) {
  const Rows whole = rows_at(gap);
  all_.add(whole, rows);
  for (Mask first = missing; first != 0; first &= first - 1) {
    auto a = static_cast<std::size_t>(std::countr_zero(first));
    const Rows without_a = rows_at(gap - units[a]);
    singles_[a].add(without_a, rows);
    singles_[a].add(whole, -rows);
    for (Mask second = first & (first - 1); second != 0; second &= second - 1) {
      auto b = static_cast<std::size_t>(std::countr_zero(second));
      Rows& both = pair(a, b);
      both.add(rows_at(gap - units[a] - units[b]), rows);
      both.add(without_a, -rows);
      both.add(rows_at(gap - units[b]), -rows);
      both.add(whole, rows);
    }
  }
}

Reach ReachCounts::without(Mask dropped) const {
  assert(std::popcount(dropped) <= 2 && "counts are kept of queries that leave out two at most");
  Rows rows = all_;
  for (Mask one = dropped; one != 0; one &= one - 1) {
    rows.add(singles_[static_cast<std::size_t>(std::countr_zero(one))], 1);
  }
  if (std::popcount(dropped) == 2) {
    auto a = static_cast<std::size_t>(std::countr_zero(dropped));
    auto b = static_cast<std::size_t>(std::countr_zero(dropped & (dropped - 1)));
    rows.add(pairs_[a * 64 + b], 1);
  }
  return reach_of(rows.level, rows.below_twice);
}

}  // namespace rankveil::attack
