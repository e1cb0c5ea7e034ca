// Rows that are alike in public, as finely as leaves enough of them together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/table/table.h"

namespace rankveil {

struct AlikeBlocks {
  std::vector<std::uint32_t> block_of;
  std::uint32_t count = 0;
};

// Public columns split rows one after the other, those first whose values stand most side by side
// in `order`: what the order follows in public, everybody knows. A column splits a block where at
// least 20 rows share a value, and leaves the others of it together, with the largest part where
// they are fewer than 20. Cost: a few passes over each public column.
AlikeBlocks alike_blocks(const Table& table, std::span<const std::uint32_t> order);

}  // namespace rankveil
