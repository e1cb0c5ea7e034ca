// IA: a graph in which every degree is that of k people or more (Liu and Terzi).
//
// Degrees are grouped, each group is given one degree, and edges change until everybody has his.
// A group is a cloaked set.
//
// Promises    every degree of the published graph occurs at least k times: checked, or refused.
// Not         that people of one degree cannot be told apart by whom they know.
// Cost        nodes * k steps for the groups, then the edges that change; 0.1 s for a million
// edges. Source      Liu and Terzi 2008; the moves of edit_degrees.h are ours.
#pragma once

#include <cstdint>
#include <string_view>

#include "rankveil/base/result.h"
#include "rankveil/graphs/cloaked_sets.h"
#include "rankveil/graphs/graph.h"
#include "rankveil/graphs/release/degree_groups.h"

namespace rankveil::graph {

enum class Grouping { Optimal, Greedy };
enum class Editing {
  AddAndDelete,  // groups get their middle degree
  Supergraph,    // groups get their highest degree, edges are only added; on failure, probe
};

struct IdentityOptions {
  std::uint32_t k = 6;
  Grouping grouping = Grouping::Optimal;
  Editing editing = Editing::AddAndDelete;
  // Supergraph: when not everybody can have his degree, some of the lowest degrees are raised and
  // all is tried again, this many times.
  std::uint32_t probes = 20;
  std::uint64_t seed = 1;  // of probing
};

struct IdentityRelease {
  Graph graph;
  CloakedSets sets;
  std::uint64_t group_cost = 0;  // degrees that had to change, by the grouping
  std::uint32_t probes = 0;      // that were needed
};

// Refuses k below 2 or above the number of nodes, and a graph that could not be given its degrees.
Result<IdentityRelease> anonymize_identity(const Graph& graph, const IdentityOptions& options);

}  // namespace rankveil::graph
