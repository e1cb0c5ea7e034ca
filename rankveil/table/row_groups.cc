#include "rankveil/table/row_groups.h"

#include <bit>

namespace rankveil {
namespace {

// The codes of a row side by side in as few 64-bit words as hold them. Words lie word by word:
// all first words, then all second words.
class PackedRows {
 public:
  PackedRows(const Table& table, std::span<const AttributeId> attributes) : rows_(table.rows()) {
    std::uint32_t used = 64;
    for (AttributeId attribute : attributes) {
      const Column& column = table.column(attribute);
      // Codes go up to the size itself, which is the missing value.
      auto bits = static_cast<std::uint32_t>(std::bit_width(column.domain_size()));
      if (used + bits > 64) {
        words_.emplace_back(rows_);
        used = 0;
      }
      add(column, used);
      used += bits;
    }
  }

  std::uint64_t hash(std::uint32_t row) const {
    std::uint64_t hash = 0;
    for (const auto& word : words_) {
      hash = (hash ^ word[row]) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32;
    }
    hash *= 0xbf58476d1ce4e5b9U;
    return hash ^ (hash >> 29);
  }

  bool equal(std::uint32_t left, std::uint32_t right) const {
    for (const auto& word : words_) {
      if (word[left] != word[right]) return false;
    }
    return true;
  }

 private:
  void add(const Column& column, std::uint32_t shift) {
    auto merge = [&](const auto& codes) {
      std::uint64_t* word = words_.back().data();
      for (std::size_t row = 0; row < codes.size(); ++row) {
        word[row] |= std::uint64_t{codes[row]} << shift;
      }
    };
    if (column.is_narrow()) {
      merge(column.narrow());
    } else {
      merge(column.wide());
    }
  }

  std::uint32_t rows_;
  std::vector<std::vector<std::uint64_t>> words_;
};

// An open hash table of groups. A slot holds the upper half of the hash beside the group's number
// plus 1, so that nearly every look at a wrong group ends there; 0 is an empty slot.
class GroupCounter {
 public:
  explicit GroupCounter(const PackedRows& rows) : rows_(rows), slots_(1024) {}

  // The row's group.
  std::size_t add(std::uint32_t row, std::uint64_t hash) {
    std::size_t at = hash & mask();
    while (slots_[at] != 0 && !is_group_of(slots_[at], row, hash)) at = (at + 1) & mask();
    if (slots_[at] == 0) return add_group(at, row, hash);
    std::size_t group = group_in(slots_[at]);
    ++sizes_[group];
    return group;
  }

  std::vector<std::uint32_t> take_sizes() { return std::move(sizes_); }
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask()]); }

 private:
  std::size_t mask() const { return slots_.size() - 1; }
  static std::size_t group_in(std::uint64_t slot) { return static_cast<std::uint32_t>(slot) - 1; }
  static std::uint64_t slot_of(std::size_t group, std::uint64_t hash) {
    return (hash & ~std::uint64_t{0xFFFFFFFF}) | (group + 1);
  }

  bool is_group_of(std::uint64_t slot, std::uint32_t row, std::uint64_t hash) const {
    return slot >> 32 == hash >> 32 && rows_.equal(first_rows_[group_in(slot)], row);
  }

  std::size_t add_group(std::size_t at, std::uint32_t row, std::uint64_t hash) {
    std::size_t group = sizes_.size();
    slots_[at] = slot_of(group, hash);
    sizes_.push_back(1);
    first_rows_.push_back(row);
    if (sizes_.size() > slots_.size() / 2) grow();
    return group;
  }

  void grow() {
    slots_.assign(slots_.size() * 4, 0);
    for (std::size_t group = 0; group < sizes_.size(); ++group) {
      std::uint64_t hash = rows_.hash(first_rows_[group]);
      std::size_t at = hash & mask();
      while (slots_[at] != 0) at = (at + 1) & mask();
      slots_[at] = slot_of(group, hash);
    }
  }

  const PackedRows& rows_;
  std::vector<std::uint64_t> slots_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> first_rows_;
};

// Calls visit(row, group) in row order.
template <typename Visit>
std::vector<std::uint32_t> count_groups(const Table& table, std::span<const AttributeId> attributes,
                                        const Visit& visit) {
  constexpr std::uint32_t ahead = 16;  // rows between asking memory for a slot and using it
  PackedRows rows(table, attributes);
  GroupCounter counter(rows);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    if (row + ahead < table.rows()) counter.prefetch(rows.hash(row + ahead));
    visit(row, counter.add(row, rows.hash(row)));
  }
  return counter.take_sizes();
}

}  // namespace

std::vector<AttributeId> public_attributes(const Schema& schema) {
  std::vector<AttributeId> all;
  for (std::uint32_t i = 0; i < schema.public_count(); ++i) all.push_back(AttributeId{i});
  return all;
}

std::vector<std::uint32_t> group_sizes(const Table& table,
                                       std::span<const AttributeId> attributes) {
  return count_groups(table, attributes, [](std::uint32_t, std::size_t) {});
}

RowGroups group_rows(const Table& table, std::span<const AttributeId> attributes) {
  RowGroups groups;
  groups.group_of.resize(table.rows());
  groups.sizes = count_groups(table, attributes, [&](std::uint32_t row, std::size_t group) {
    groups.group_of[row] = static_cast<std::uint32_t>(group);
  });
  return groups;
}

}  // namespace rankveil
