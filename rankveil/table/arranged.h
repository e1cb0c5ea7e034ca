// The rows of a table in another order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/table/table.h"

namespace rankveil {

// Row i is row order[i] of `table`, with its name: rows that had none but their number keep that
// number. REQUIRES: rows of the table, each once.
Table arranged(const Table& table, std::span<const std::uint32_t> order);

// The same for something that rows have one of each. Nothing stays nothing.
template <typename Item>
std::vector<Item> arranged(const std::vector<Item>& by_row, std::span<const std::uint32_t> order) {
  std::vector<Item> made;
  if (by_row.empty()) return made;
  made.reserve(order.size());
  for (std::uint32_t row : order) made.push_back(by_row[row]);
  return made;
}

// The same rows called otherwise. REQUIRES: as many names as rows.
Table with_names(const Table& table, RowNames names);

}  // namespace rankveil
