// Vectors as a tree: one level for each column, equal beginnings once. What a class rules out, or
// weighs, at one node it need not look at again for all vectors below.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/audit/vector_weights.h"

namespace rankveil::audit {

class FeatureTrie {
 public:
  struct Level {
    std::vector<std::uint32_t> feature;   // per node: of this level's column
    std::vector<std::uint32_t> children;  // per node, and one more: where they begin one level down
  };

  // `order`: columns, from the top down.
  FeatureTrie(std::span<const LawColumn> columns, std::vector<std::uint32_t> order,
              std::uint32_t vectors);

  std::uint32_t depth() const { return static_cast<std::uint32_t>(order_.size()); }
  std::uint32_t column(std::uint32_t level) const { return order_[level]; }
  const Level& level(std::uint32_t level) const { return levels_[level]; }

  // Leaves are the nodes of the last level; a tree without columns has one.
  std::uint32_t leaves() const { return static_cast<std::uint32_t>(example_.size()); }
  std::uint32_t leaf_of(std::uint32_t vector) const { return leaf_of_[vector]; }
  std::uint32_t example(std::uint32_t leaf) const { return example_[leaf]; }

 private:
  std::vector<std::uint32_t> order_;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> leaf_of_;
  std::vector<std::uint32_t> example_;
};

}  // namespace rankveil::audit
