#include "rankveil/graphs/graph.h"

#include <algorithm>
#include <cassert>

namespace rankveil::graph {

namespace {

std::vector<std::uint64_t> running_sums(std::vector<std::uint64_t> counts) {
  std::uint64_t sum = 0;
  for (std::uint64_t& count : counts) sum += std::exchange(count, sum);
  return counts;
}

}  // namespace

// Edges are dealt to their lower and then to their upper ends in an order that leaves every list
// sorted: first by one end, then, stably, by the other. Two passes of counting instead of a sort.
Graph Graph::from_edges(Node nodes, std::span<const Edge> edges) {
  std::vector<std::uint64_t> counts(nodes + 1, 0);
  for (auto [u, v] : edges) {
    assert(u < nodes && v < nodes && "an edge joins nodes of the graph");
    if (u != v) ++counts[u], ++counts[v];
  }
  auto offsets = running_sums(std::move(counts));
  std::vector<Node> owners(offsets.back());
  auto places = offsets;
  for (auto [u, v] : edges) {
    if (u != v) owners[places[u]++] = v, owners[places[v]++] = u;
  }
  places = offsets;
  std::vector<Node> friends(owners.size());
  for (Node node = 0; node < nodes; ++node) {
    for (auto i = offsets[node]; i < offsets[node + 1]; ++i) friends[places[owners[i]]++] = node;
  }
  owners = {};
  std::uint64_t kept = 0;
  for (Node node = 0; node < nodes; ++node) {
    auto first = offsets[node];
    auto last = offsets[node + 1];
    offsets[node] = kept;
    for (auto i = first; i < last; ++i) {
      if (i == first || friends[i] != friends[i - 1]) friends[kept++] = friends[i];
    }
  }
  offsets[nodes] = kept;
  friends.resize(kept);
  Graph graph;
  graph.offsets_ = std::move(offsets);
  graph.friends_ = std::move(friends);
  return graph;
}

Graph Graph::from_lists(const std::vector<std::vector<Node>>& lists) {
  Graph graph;
  graph.offsets_.reserve(lists.size() + 1);
  graph.offsets_.push_back(0);
  for (const auto& list : lists) {
    assert(std::is_sorted(list.begin(), list.end()) && "a friend list is sorted");
    graph.friends_.insert(graph.friends_.end(), list.begin(), list.end());
    graph.offsets_.push_back(graph.friends_.size());
  }
  return graph;
}

bool Graph::adjacent(Node left, Node right) const {
  if (degree(left) > degree(right)) std::swap(left, right);
  auto list = friends(left);
  return std::binary_search(list.begin(), list.end(), right);
}

std::vector<Edge> edges_of(const Graph& graph) {
  std::vector<Edge> edges;
  edges.reserve(graph.edges());
  for (Node node = 0; node < graph.nodes(); ++node) {
    for (Node other : graph.friends(node)) {
      if (node < other) edges.emplace_back(node, other);
    }
  }
  return edges;
}

std::vector<std::uint32_t> degrees_of(const Graph& graph) {
  std::vector<std::uint32_t> degrees(graph.nodes());
  for (Node node = 0; node < graph.nodes(); ++node) degrees[node] = graph.degree(node);
  return degrees;
}

std::vector<Node> by_falling_degree(const Graph& graph) {
  std::uint32_t most = 0;
  for (Node node = 0; node < graph.nodes(); ++node) most = std::max(most, graph.degree(node));
  std::vector<std::uint64_t> counts(most + 2, 0);
  for (Node node = 0; node < graph.nodes(); ++node) ++counts[most - graph.degree(node)];
  auto places = running_sums(std::move(counts));
  std::vector<Node> order(graph.nodes());
  for (Node node = 0; node < graph.nodes(); ++node) {
    order[places[most - graph.degree(node)]++] = node;
  }
  return order;
}

}  // namespace rankveil::graph
