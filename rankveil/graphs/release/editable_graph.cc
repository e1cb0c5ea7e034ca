#include "rankveil/graphs/release/editable_graph.h"

#include <algorithm>
#include <cassert>

namespace rankveil::graph {

std::span<const Node> EditableGraph::friends(Node node) const {
  auto changed = changed_.find(node);
  return changed == changed_.end() ? graph_.friends(node) : std::span<const Node>(changed->second);
}

bool EditableGraph::adjacent(Node left, Node right) const {
  auto a = friends(left), b = friends(right);
  return a.size() < b.size() ? std::ranges::binary_search(a, right)
                             : std::ranges::binary_search(b, left);
}

std::vector<Node>& EditableGraph::own_list(Node node) {
  auto [place, fresh] = changed_.try_emplace(node);
  if (fresh) {
    auto list = graph_.friends(node);
    place->second.assign(list.begin(), list.end());
  }
  return place->second;
}

void EditableGraph::add(Node left, Node right) {
  assert(left != right && !adjacent(left, right) && "an edge is added once");
  auto& one = own_list(left);
  one.insert(std::ranges::lower_bound(one, right), right);
  auto& other = own_list(right);
  other.insert(std::ranges::lower_bound(other, left), left);
}

void EditableGraph::remove(Node left, Node right) {
  assert(adjacent(left, right) && "an edge that is deleted is there");
  auto& one = own_list(left);
  one.erase(std::ranges::lower_bound(one, right));
  auto& other = own_list(right);
  other.erase(std::ranges::lower_bound(other, left));
}

Graph EditableGraph::finish() const {
  std::vector<Edge> edges;
  edges.reserve(graph_.edges());
  for (Node node = 0; node < nodes(); ++node) {
    for (Node other : friends(node)) {
      if (node < other) edges.emplace_back(node, other);
    }
  }
  return Graph::from_edges(nodes(), edges);
}

EdgeChanges changes(const Graph& before, const Graph& after) {
  assert(before.nodes() == after.nodes() && "only graphs of the same people are compared");
  std::uint64_t common = 0;
  for (Node node = 0; node < before.nodes(); ++node) {
    auto old = before.friends(node), now = after.friends(node);
    for (auto a = old.begin(), b = now.begin(); a != old.end() && b != now.end();) {
      if (*a == *b) ++common;
      auto left = *a, right = *b;
      if (left <= right) ++a;
      if (right <= left) ++b;
    }
  }
  return {after.edges() - common / 2, before.edges() - common / 2};
}

}  // namespace rankveil::graph
