#include "rankveil/graphs/release/verify.h"

#include <fmt/core.h>

#include <map>

#include "rankveil/base/format.h"

namespace rankveil::graph {

namespace {

// A degree that fewer than k nodes have, and how many do; {0, 0} when there is none.
std::pair<std::uint32_t, std::uint32_t> rare_degree(const Graph& graph, std::uint32_t k) {
  std::map<std::uint32_t, std::uint32_t> counts;
  for (Node node = 0; node < graph.nodes(); ++node) ++counts[graph.degree(node)];
  for (auto [degree, count] : counts) {
    if (count < k) return {degree, count};
  }
  return {0, 0};
}

}  // namespace

Status verify_sets(const CloakedSets& sets, Node nodes, std::uint32_t k) {
  std::vector<std::uint8_t> seen(nodes, 0);
  for (std::uint32_t set = 0; set < sets.size(); ++set) {
    if (sets.members(set).size() < k) {
      return bad_input(fmt::format("set {} has {}, and k is {}", set,
                                   counted(sets.members(set).size(), "member"), k));
    }
    for (Node node : sets.members(set)) {
      if (node >= nodes || seen[node]++ > 0) {
        return bad_input(fmt::format("node {} is in two sets, or not in the graph", node));
      }
    }
  }
  for (Node node = 0; node < nodes; ++node) {
    if (seen[node] == 0) return bad_input(fmt::format("node {} is in no set", node));
  }
  return {};
}

Status verify_simple(const Graph& graph) {
  for (Node node = 0; node < graph.nodes(); ++node) {
    auto list = graph.friends(node);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0 && list[i] <= list[i - 1]) {
        return bad_input(fmt::format("the list of node {} is out of order or repeats", node));
      }
      if (list[i] == node) return bad_input(fmt::format("node {} is on its own list", node));
    }
  }
  // Read by rising owner, every list must come out again as the owners it is met with.
  std::vector<std::uint32_t> met(graph.nodes(), 0);
  for (Node owner = 0; owner < graph.nodes(); ++owner) {
    for (Node node : graph.friends(owner)) {
      auto list = graph.friends(node);
      if (met[node] >= list.size() || list[met[node]] != owner) {
        return bad_input(fmt::format("node {} lists {}, but not the other way round", owner, node));
      }
      ++met[node];
    }
  }
  return {};
}

bool every_degree_occurs(const Graph& graph, std::uint32_t k) {
  return rare_degree(graph, k).second == 0;
}

Status verify_degrees(const Graph& graph, std::uint32_t k) {
  auto [degree, count] = rare_degree(graph, k);
  if (count == 0) return {};
  return bad_input(fmt::format("degree {} is that of {}, and k is {}", degree,
                               count == 1 ? "1 node" : grouped(count) + " nodes", k));
}

}  // namespace rankveil::graph
