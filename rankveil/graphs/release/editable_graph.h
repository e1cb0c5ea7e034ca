// A graph under change: lists that change are copied, all others are read where they are.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "rankveil/graphs/graph.h"

namespace rankveil::graph {

class EditableGraph {
 public:
  explicit EditableGraph(const Graph& graph) : graph_(graph) {}

  Node nodes() const { return graph_.nodes(); }
  // Valid until the node's list changes.
  std::span<const Node> friends(Node node) const;
  std::uint32_t degree(Node node) const { return static_cast<std::uint32_t>(friends(node).size()); }
  bool adjacent(Node left, Node right) const;

  // REQUIRES: two nodes that are not friends yet.
  void add(Node left, Node right);
  // REQUIRES: two friends.
  void remove(Node left, Node right);

  Graph finish() const;

 private:
  std::vector<Node>& own_list(Node node);
  const Graph& graph_;
  std::unordered_map<Node, std::vector<Node>> changed_;
};

// Edges of `after` that `before` has not, and the other way round.
struct EdgeChanges {
  std::uint64_t added = 0;
  std::uint64_t deleted = 0;

  friend bool operator==(const EdgeChanges&, const EdgeChanges&) = default;
};
EdgeChanges changes(const Graph& before, const Graph& after);

}  // namespace rankveil::graph
