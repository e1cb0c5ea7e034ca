// Friendship graphs: undirected, without loops and repeated edges, and unchangeable once built.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rankveil::graph {

using Node = std::uint32_t;  // 0 to nodes() - 1
using Edge = std::pair<Node, Node>;

// Compressed adjacency: all friend lists in one array, each sorted.
class Graph {
 public:
  Graph() = default;
  // Loops are dropped, and so are edges said before, in either direction.
  // REQUIRES: every end of an edge is below `nodes`.
  static Graph from_edges(Node nodes, std::span<const Edge> edges);
  // REQUIRES: lists that are sorted, symmetric, without repeats and without their owner.
  static Graph from_lists(const std::vector<std::vector<Node>>& lists);

  Node nodes() const { return offsets_.empty() ? 0 : static_cast<Node>(offsets_.size() - 1); }
  std::uint64_t edges() const { return friends_.size() / 2; }
  std::span<const Node> friends(Node node) const {
    return {friends_.data() + offsets_[node], friends_.data() + offsets_[node + 1]};
  }
  std::uint32_t degree(Node node) const {
    return static_cast<std::uint32_t>(offsets_[node + 1] - offsets_[node]);
  }
  bool adjacent(Node left, Node right) const;

  friend bool operator==(const Graph&, const Graph&) = default;

 private:
  std::vector<std::uint64_t> offsets_;  // nodes() + 1 of them, or none
  std::vector<Node> friends_;
};

// Each edge once, the lower end first, in order.
std::vector<Edge> edges_of(const Graph& graph);

std::vector<std::uint32_t> degrees_of(const Graph& graph);

// All nodes by falling degree, equal ones by rising number.
std::vector<Node> by_falling_degree(const Graph& graph);

}  // namespace rankveil::graph
