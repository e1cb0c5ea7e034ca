// CA: clusters of people with nearly the same friends (SaNGreeA).
//
// A set starts with the unassigned node of most friends (the lowest number on ties). Then, until it
// has k members, it takes the unassigned node that is least
//     alpha * (what the attributes of set and node blur) + beta * (mean distance to the members),
// the lowest number on ties. The distance of two nodes is the share of the n - 2 others that just
// one of them knows. The last nodes, too few for a set, each join the set for which the same sum is
// least, the first on ties.
//
// Promises    every set has at least k members.
// Not         that members cannot be told apart by what else is known; see attack/linkage.h.
// Cost        without attributes, at most the sum of squared degrees in steps, far less in fact
//             (Gowalla, 196,591 nodes: about a second); with attributes, nodes^2 on top.
// Source      Campan and Truta 2008; the fast form is ours and gives the same sets.
#pragma once

#include <cstdint>

#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/graphs/attributes.h"
#include "rankveil/graphs/cloaked_sets.h"
#include "rankveil/graphs/graph.h"

namespace rankveil::graph {

struct SangreeaOptions {
  std::uint32_t k = 6;
  double alpha = 0;                        // weight of attributes; above 0 it needs some
  double beta = 1;                         // weight of friends
  const Attributes* attributes = nullptr;  // of all nodes
  Progress progress = {};
};

// Refuses k below 2 or above the number of nodes, weights that are negative or both 0, and alpha
// without attributes.
Result<CloakedSets> sangreea(const Graph& graph, const SangreeaOptions& options);

// The same sets by the definition: every distance from scratch. For tests and small graphs;
// nodes^2 * k * degree steps.
Result<CloakedSets> sangreea_direct(const Graph& graph, const SangreeaOptions& options);

}  // namespace rankveil::graph
