// Lists of degrees: whether a graph can have them, and a graph that does.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "rankveil/graphs/graph.h"

namespace rankveil::graph {

// Whether some graph has these degrees, in any order (Erdos and Gallai).
bool is_graphical(std::span<const std::uint32_t> degrees);

// A graph in which node i has degree degrees[i]; nothing when there is none. Takes the node of
// largest remaining degree and joins it to the next largest (Havel and Hakimi), in time linear in
// nodes and edges.
std::optional<Graph> construct_graph(std::span<const std::uint32_t> degrees);

}  // namespace rankveil::graph
