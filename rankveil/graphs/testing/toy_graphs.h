// Small graphs for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/base/random.h"
#include "rankveil/graphs/graph.h"

namespace rankveil::graph {

// Nine people: 01 02 03 04 12 34 45 56 67 78 68.
inline Graph nine() {
  std::vector<Edge> edges = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {3, 4},
                             {4, 5}, {5, 6}, {6, 7}, {7, 8}, {6, 8}};
  return Graph::from_edges(9, edges);
}

// Of up to `most_nodes` nodes, some without friends; few or many edges, some hubs.
inline Graph random_graph(Rng& rng, Node most_nodes) {
  auto nodes = static_cast<Node>(4 + rng.below(most_nodes - 3));
  auto edges = 1 + rng.below(std::uint64_t{nodes} * (1 + rng.below(5)));
  bool hubs = rng.below(2) == 0;
  std::vector<Edge> list;
  for (std::uint64_t i = 0; i < edges; ++i) {
    auto u = static_cast<Node>(rng.below(hubs ? 1 + rng.below(nodes) : nodes));
    list.emplace_back(u, static_cast<Node>(rng.below(nodes)));
  }
  return Graph::from_edges(nodes, list);
}

}  // namespace rankveil::graph
