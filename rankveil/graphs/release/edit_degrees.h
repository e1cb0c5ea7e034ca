// Edges added and deleted until every node has the degree it is given.
#pragma once

#include <cstdint>
#include <span>

#include "rankveil/graphs/graph.h"

namespace rankveil::graph {

struct EditedGraph {
  Graph graph;
  std::uint64_t unmet = 0;  // the sum of |given degree - degree|: 0 when all went well
};

// Adds and deletes. Three moves keep all other degrees: an edge of a node with too many friends is
// handed to one with too few; two with too few are joined, if need be through an edge that is cut
// in two; two with too many let go of one friend each, who are joined. REQUIRES: one degree a node,
// below the number of nodes, with an even sum.
EditedGraph edit_to_degrees(const Graph& graph, std::span<const std::uint32_t> given);

// Only adds: a node that lacks r friends is joined to the r others that lack most and are no
// friends yet. REQUIRES: no degree below the node's.
EditedGraph grow_to_degrees(const Graph& graph, std::span<const std::uint32_t> given);

}  // namespace rankveil::graph
