// Rows that are alike in some attributes, counted together. Exact: rows are compared, not only
// their hashes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/table/table.h"

namespace rankveil {

// What most groups are made by.
std::vector<AttributeId> public_attributes(const Schema& schema);

// The size of every group of rows with equal values in `attributes`, in the order of the groups'
// first rows. A missing value equals a missing value only. No attributes: one group of all rows.
// Cost: one hash table access a row, and 8 bytes a row for every 64 bits of codes.
std::vector<std::uint32_t> group_sizes(const Table& table, std::span<const AttributeId> attributes);

// The same groups, numbered in the order of their first rows, and the group of every row.
struct RowGroups {
  std::vector<std::uint32_t> group_of;
  std::vector<std::uint32_t> sizes;

  std::uint32_t count() const { return static_cast<std::uint32_t>(sizes.size()); }
};
RowGroups group_rows(const Table& table, std::span<const AttributeId> attributes);

}  // namespace rankveil
