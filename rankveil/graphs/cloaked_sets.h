// Who hides among whom: users in sets, each of at least k.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/graphs/graph.h"

namespace rankveil::graph {

// A partition of the nodes of a graph. A set's members are in the order in which they joined.
class CloakedSets {
 public:
  CloakedSets() = default;
  // REQUIRES: every node below `nodes` is in one set, and none is empty.
  CloakedSets(Node nodes, const std::vector<std::vector<Node>>& sets);

  std::uint32_t size() const { return static_cast<std::uint32_t>(offsets_.size() - 1); }
  Node nodes() const { return static_cast<Node>(members_.size()); }
  std::span<const Node> members(std::uint32_t set) const {
    return {members_.data() + offsets_[set], members_.data() + offsets_[set + 1]};
  }
  std::uint32_t set_of(Node node) const { return set_of_[node]; }
  std::uint32_t smallest() const;
  std::uint32_t largest() const;

  friend bool operator==(const CloakedSets&, const CloakedSets&) = default;

 private:
  std::vector<std::uint64_t> offsets_ = {0};
  std::vector<Node> members_;
  std::vector<std::uint32_t> set_of_;
};

// Refuses k below 2 and more than there are nodes.
Status check_k(std::uint32_t k, Node nodes);

}  // namespace rankveil::graph
