// Friend lists as data for the theorems: what each user of a graph adds to a sum.
//
// A user's data is one of his friends, taken by chance, as a number: the friend's place among all
// nodes, divided by how many there are. So it lies in [0, 1), and one user moves a sum of such
// numbers by less than 1. Who has no friends always adds 0; who has one, always the same.
//
// Source      Zhao et al. 2020 take moments of friend lists without saying how a list is a number;
//             this reading is the one that BE uses, too (graphs/release/baseline.h). Renumbering
//             people changes it.
#pragma once

#include "rankveil/graphs/bounds/crowd.h"
#include "rankveil/graphs/graph.h"

namespace rankveil::bound {

// One kind a user, in the order of the nodes.
Crowd crowd_of(const graph::Graph& graph);

// How many people a user's list can depend on, himself included: friendship is mutual, so the list
// of a friend has him in it.
std::uint64_t neighbourhood_of(const graph::Graph& graph);

// Users whose list is no secret as a number: they have one friend or none.
std::uint64_t certain_users(const graph::Graph& graph);

}  // namespace rankveil::bound
