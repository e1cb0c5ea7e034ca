#include "rankveil/graphs/set_edges.h"

#include <algorithm>
#include <vector>

namespace rankveil::graph {

void each_set_pair(
    const Graph& graph, const CloakedSets& sets,
    const std::function<void(std::uint32_t set, std::uint32_t other, std::uint64_t edges)>& take) {
  std::vector<std::uint64_t> ends(sets.size(), 0);  // of edges that start in the set at hand
  std::vector<std::uint32_t> met;
  for (std::uint32_t set = 0; set < sets.size(); ++set) {
    met.clear();
    for (Node member : sets.members(set)) {
      for (Node node : graph.friends(member)) {
        auto other = sets.set_of(node);
        if (other > set && ends[other] == 0) met.push_back(other);
        if (other >= set) ++ends[other];
      }
    }
    take(set, set, ends[set] / 2);
    ends[set] = 0;
    std::sort(met.begin(), met.end());
    for (auto other : met) {
      take(set, other, ends[other]);
      ends[other] = 0;
    }
  }
}

}  // namespace rankveil::graph
