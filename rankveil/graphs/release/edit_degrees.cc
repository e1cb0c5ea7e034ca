#include "rankveil/graphs/release/edit_degrees.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <queue>
#include <vector>

#include "rankveil/graphs/release/editable_graph.h"

namespace rankveil::graph {

namespace {

// Nodes that lack friends, or have too many, one entry for each friend.
class Unmet {
 public:
  Unmet(const Graph& graph, std::span<const std::uint32_t> given) {
    for (Node node : by_falling_degree(graph)) {
      std::uint32_t have = graph.degree(node);
      for (std::uint32_t i = have; i < given[node]; ++i) low.push_back(node);
      for (std::uint32_t i = given[node]; i < have; ++i) high.push_back(node);
    }
  }
  std::vector<Node> low, high;
};

class Editor {
 public:
  Editor(const Graph& graph, std::span<const std::uint32_t> given)
      : edited_(graph), unmet_(graph, given) {}

  EditedGraph run() {
    hand_over();
    pair_up(unmet_.low, [&](Node u, Node v) { return join(u, v); });
    pair_up(unmet_.high, [&](Node u, Node v) { return part(u, v); });
    return {edited_.finish(), unmet_.low.size() + unmet_.high.size()};
  }

 private:
  // Pairs entries of the two lists; what finds no partner stays.
  void hand_over() {
    std::vector<Node> high_left;
    for (std::size_t i = 0; i < unmet_.high.size(); ++i) {
      Node from = unmet_.high[i];
      bool moved = false;
      for (std::size_t tried = 0; !moved && tried < std::min(most_tried, unmet_.low.size());
           ++tried) {
        auto at = unmet_.low.size() - 1 - tried;
        moved = move_edge(from, unmet_.low[at]);
        if (moved) unmet_.low.erase(unmet_.low.begin() + static_cast<std::ptrdiff_t>(at));
      }
      if (!moved) high_left.push_back(from);
    }
    unmet_.high = std::move(high_left);
  }

  bool move_edge(Node from, Node to) {
    auto list = edited_.friends(from);
    // Friends with few friends first to come are as good as any; start in a different place each
    // time, so that no friend is stripped of all that made him one.
    for (std::size_t i = 0; i < list.size(); ++i) {
      Node middle = list[(i + turn_) % list.size()];
      if (middle == to || edited_.adjacent(middle, to)) continue;
      edited_.remove(from, middle);
      edited_.add(to, middle);
      ++turn_;
      return true;
    }
    return false;
  }

  template <typename Settle>
  void pair_up(std::vector<Node>& nodes, Settle settle) {
    std::vector<Node> left;
    while (!nodes.empty()) {
      Node node = nodes.back();
      nodes.pop_back();
      bool settled = false;
      for (std::size_t tried = 0; !settled && tried < std::min(most_tried, nodes.size()); ++tried) {
        auto at = nodes.size() - 1 - tried;
        settled = settle(node, nodes[at]);
        if (settled) nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(at));
      }
      if (!settled) left.push_back(node);
    }
    nodes = std::move(left);
  }

  bool join(Node u, Node v) {
    if (u != v && !edited_.adjacent(u, v)) {
      edited_.add(u, v);
      return true;
    }
    for (Node tried = 0; tried < edited_.nodes(); ++tried) {
      Node a = (cut_ + tried) % edited_.nodes();
      if (a == u || a == v || edited_.adjacent(u, a)) continue;
      for (Node b : edited_.friends(a)) {
        if (b == u || b == v || edited_.adjacent(v, b)) continue;
        edited_.remove(a, b);
        edited_.add(u, a);
        edited_.add(v, b);
        cut_ = a + 1;
        return true;
      }
    }
    return false;
  }

  bool part(Node u, Node v) {
    if (u != v && edited_.adjacent(u, v)) {
      edited_.remove(u, v);
      return true;
    }
    for (Node a : edited_.friends(u)) {
      for (Node b : edited_.friends(v)) {
        if (a == b || a == v || b == u || edited_.adjacent(a, b)) continue;
        edited_.remove(u, a);
        edited_.remove(v, b);
        edited_.add(a, b);
        return true;
      }
    }
    return false;
  }

  static constexpr std::size_t most_tried = 256;  // partners, before a node is left as it is
  EditableGraph edited_;
  Unmet unmet_;
  std::size_t turn_ = 0;
  Node cut_ = 0;
};

}  // namespace

EditedGraph edit_to_degrees(const Graph& graph, std::span<const std::uint32_t> given) {
  assert(given.size() == graph.nodes() && "every node is given a degree");
  return Editor(graph, given).run();
}

EditedGraph grow_to_degrees(const Graph& graph, std::span<const std::uint32_t> given) {
  using Entry = std::pair<std::uint32_t, Node>;  // what is lacking; the largest comes first
  EditableGraph edited(graph);
  std::priority_queue<Entry> lacking;
  for (Node node = 0; node < graph.nodes(); ++node) {
    assert(given[node] >= graph.degree(node) && "edges are only added");
    if (given[node] > graph.degree(node)) lacking.emplace(given[node] - graph.degree(node), node);
  }
  std::uint64_t unmet = 0;
  while (!lacking.empty()) {
    auto [wanted, node] = lacking.top();
    lacking.pop();
    std::vector<Entry> passed;
    while (wanted > 0 && !lacking.empty()) {
      auto [lacks, other] = lacking.top();
      lacking.pop();
      if (!edited.adjacent(node, other)) {
        edited.add(node, other);
        --wanted, --lacks;
      }
      if (lacks > 0) passed.emplace_back(lacks, other);
    }
    for (const Entry& entry : passed) lacking.push(entry);
    unmet += wanted;
  }
  return {edited.finish(), unmet};
}

}  // namespace rankveil::graph
