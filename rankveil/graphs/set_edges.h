// How many edges run inside sets and between them.
#pragma once

#include <cstdint>
#include <functional>

#include "rankveil/graphs/cloaked_sets.h"
#include "rankveil/graphs/graph.h"

namespace rankveil::graph {

// Calls take(set, other, edges) for every set with itself, also without edges, and for every two
// sets with edges between them, the lower number first; in order.
void each_set_pair(
    const Graph& graph, const CloakedSets& sets,
    const std::function<void(std::uint32_t set, std::uint32_t other, std::uint64_t edges)>& take);

}  // namespace rankveil::graph
