#include "rankveil/protect/rows/alike_blocks.h"

#include <algorithm>
#include <unordered_map>

namespace rankveil {

namespace {

constexpr std::uint32_t min_alike = 20;

// A missing value is the one behind the last.
std::uint32_t code_of(const Column& column, std::uint32_t row) {
  ValueId value = column.value(RowId{row});
  return value == missing_value ? column.domain_size() : +value;
}

// How much more often neighbours share a value than any two rows do: 0 by chance, 1 in order of it.
double clustering_of(const Column& column, std::span<const std::uint32_t> order) {
  std::vector<double> rows(column.domain_size() + std::size_t{1}, 0);
  double together = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::uint32_t code = code_of(column, order[i]);
    ++rows[code];
    together += i > 0 && code == code_of(column, order[i - 1]) ? 1 : 0;
  }
  double all = static_cast<double>(order.size()), by_chance = 0;
  for (double count : rows) by_chance += count / all * count / all;
  return by_chance < 1 ? (together / all - by_chance) / (1 - by_chance) : 0;
}

std::vector<AttributeId> columns_in_turn(const Table& table, std::span<const std::uint32_t> order) {
  std::vector<std::pair<double, std::uint32_t>> columns;
  for (std::uint32_t i = 0; i < table.schema().public_count(); ++i) {
    columns.emplace_back(-clustering_of(table.column(AttributeId{i}), order), i);
  }
  std::ranges::sort(columns);
  std::vector<AttributeId> turns;
  for (const auto& [clustering, column] : columns) turns.push_back(AttributeId{column});
  return turns;
}

// Splits all blocks by one column. A part: the rows of a block that share a value.
class Splitting {
 public:
  Splitting(const Column& column, const AlikeBlocks& blocks)
      : column_(column), blocks_(blocks), width_(column.domain_size() + std::uint64_t{1}) {
    constexpr std::uint64_t most = std::uint64_t{1} << 22;
    std::uint64_t parts = width_ * blocks.count;
    if (parts <= std::max<std::uint64_t>(most, 4 * blocks.block_of.size())) dense_.assign(parts, 0);
  }

  AlikeBlocks split() {
    for (std::uint32_t row = 0; row < blocks_.block_of.size(); ++row) ++size_of(part_of(row));
    find_homes();
    AlikeBlocks made{std::vector<std::uint32_t>(blocks_.block_of.size()), 0};
    for (std::uint32_t row = 0; row < blocks_.block_of.size(); ++row) {
      std::uint64_t part = part_of(row);
      bool small = size_of(part) < min_alike;
      std::uint64_t home = small ? homes_[blocks_.block_of[row]] : part;
      made.block_of[row] = numbers_.try_emplace(home, made.count).first->second;
      made.count = static_cast<std::uint32_t>(numbers_.size());
    }
    return made;
  }

 private:
  std::uint64_t part_of(std::uint32_t row) const {
    return blocks_.block_of[row] * width_ + code_of(column_, row);
  }
  std::uint32_t& size_of(std::uint64_t part) {
    return dense_.empty() ? sparse_[part] : dense_[part];
  }

  template <typename Visit>
  void for_each_part(const Visit& visit) const {
    for (std::uint64_t part = 0; part < dense_.size(); ++part) visit(part, dense_[part]);
    for (const auto& [part, size] : sparse_) visit(part, size);
  }

  // Where the rows of small parts go, by block: to each other, or, where all of them are few, to
  // the largest part, the first of equal ones.
  void find_homes() {
    std::vector<std::uint32_t> few(blocks_.count, 0), largest(blocks_.count, 0);
    homes_.resize(blocks_.count);
    for (std::uint32_t block = 0; block < blocks_.count; ++block) homes_[block] = rest_of(block);
    for_each_part([&](std::uint64_t part, std::uint32_t size) {
      if (size < min_alike) few[part / width_] += size;
    });
    for_each_part([&](std::uint64_t part, std::uint32_t size) {
      std::uint64_t block = part / width_;
      bool takes = size >= min_alike && few[block] < min_alike &&
                   (size > largest[block] || (size == largest[block] && part < homes_[block]));
      if (!takes) return;
      largest[block] = size;
      homes_[block] = part;
    });
  }
  // A number that no part has.
  std::uint64_t rest_of(std::uint32_t block) const { return width_ * blocks_.count + block; }

  const Column& column_;
  const AlikeBlocks& blocks_;
  std::uint64_t width_;
  std::vector<std::uint32_t> dense_;
  std::unordered_map<std::uint64_t, std::uint32_t> sparse_;
  std::vector<std::uint64_t> homes_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace

AlikeBlocks alike_blocks(const Table& table, std::span<const std::uint32_t> order) {
  AlikeBlocks blocks{std::vector<std::uint32_t>(table.rows(), 0), 1};
  for (AttributeId column : columns_in_turn(table, order)) {
    blocks = Splitting(table.column(column), blocks).split();
  }
  return blocks;
}

}  // namespace rankveil
