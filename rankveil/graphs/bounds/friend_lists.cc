#include "rankveil/graphs/bounds/friend_lists.h"

#include <algorithm>

namespace rankveil::bound {

Crowd crowd_of(const graph::Graph& graph) {
  Crowd crowd;
  crowd.reserve(graph.nodes());
  std::vector<double> numbers;
  for (graph::Node node = 0; node < graph.nodes(); ++node) {
    numbers.clear();
    for (graph::Node other : graph.friends(node)) {
      numbers.push_back(static_cast<double>(other) / graph.nodes());
    }
    crowd.push_back({moments_of(numbers), 1});
  }
  return crowd;
}

std::uint64_t neighbourhood_of(const graph::Graph& graph) {
  std::uint64_t most = 0;
  for (graph::Node node = 0; node < graph.nodes(); ++node) {
    most = std::max<std::uint64_t>(most, graph.degree(node));
  }
  return most + 1;
}

std::uint64_t certain_users(const graph::Graph& graph) {
  std::uint64_t users = 0;
  for (graph::Node node = 0; node < graph.nodes(); ++node) users += graph.degree(node) < 2 ? 1 : 0;
  return users;
}

}  // namespace rankveil::bound
