// Compiled as C++17: LEMON 1.3.1 uses members of std::allocator that C++20 took away. Only its
// templates are used, so nothing is linked.
#define LEMON_ONLY_TEMPLATES
#include "rankveil/protect/estt/perfect_matching.h"

#include <lemon/full_graph.h>
#include <lemon/matching.h>

namespace rankveil {

std::vector<std::uint32_t> cheapest_matching(std::uint32_t n,
                                             const std::vector<std::int32_t>& costs) {
  using Graph = lemon::FullGraph;
  Graph graph(static_cast<int>(n));
  Graph::EdgeMap<std::int32_t> gains(graph);
  for (Graph::EdgeIt place(graph); place != lemon::INVALID; ++place) {
    Graph::Edge edge = place;  // NOLINT(cppcoreguidelines-slicing): LEMON's iterators are edges
    auto left = static_cast<std::size_t>(graph.id(graph.u(edge)));
    auto right = static_cast<std::size_t>(graph.id(graph.v(edge)));
    gains[edge] = -costs[left * n + right];
  }
  lemon::MaxWeightedPerfectMatching<Graph, Graph::EdgeMap<std::int32_t>> matching(graph, gains);
  matching.fractionalInit();
  matching.start();
  std::vector<std::uint32_t> partners(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    partners[i] = static_cast<std::uint32_t>(graph.id(matching.mate(graph(static_cast<int>(i)))));
  }
  return partners;
}

}  // namespace rankveil
