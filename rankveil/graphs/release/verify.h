// Whether a release is what it promises, found out without trusting who made it.
#pragma once

#include <cstdint>

#include "rankveil/base/result.h"
#include "rankveil/graphs/cloaked_sets.h"
#include "rankveil/graphs/graph.h"

namespace rankveil::graph {

// Everybody in exactly one set, each of at least k.
Status verify_sets(const CloakedSets& sets, Node nodes, std::uint32_t k);

// Friend lists sorted, without owner and repeats, and everybody on the list of those on his own.
Status verify_simple(const Graph& graph);

// Every degree that occurs is that of at least k nodes.
bool every_degree_occurs(const Graph& graph, std::uint32_t k);
// The same as a sentence that names a degree.
Status verify_degrees(const Graph& graph, std::uint32_t k);

}  // namespace rankveil::graph
