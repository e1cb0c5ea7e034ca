// BE: sets chosen to lower the bounds of noiseless privacy, as the paper's baseline would.
//
// The paper asks for sets that minimise epsilon and delta. Taken literally that is one set with
// everybody in it: both bounds only fall as a set grows. Here sets have k members, and the bound of
// a set depends on its members' friend lists as numbers, D = friend labels / nodes: a small epsilon
// wants a large sum of variances, a small delta a small sum of third central moments and no friends
// inside the set. So users are taken by falling variance; each starts a set and takes, k - 1 times,
// the one among the next `window` that is no friend of the set and brings the sum of third moments
// closest to 0. The last ones, too few for a set, join the last sets, one each.
//
// Promises    every set has at least k members.
// Not         that attacks succeed less often than against other sets: on Gowalla, with some
//             background, they succeed more often. Renumbering people changes the sets.
// Cost        nodes * window steps.
// Source      Zhao et al. 2020, section IV, with the choices above.
#pragma once

#include <cstdint>

#include "rankveil/base/result.h"
#include "rankveil/graphs/cloaked_sets.h"
#include "rankveil/graphs/graph.h"

namespace rankveil::graph {

enum class BaselineForm {
  Greedy,    // as above
  Balanced,  // deals users out by falling variance, so that sets have about the same sum of them
  Similar,   // of the window, takes who shares most friends with the set; third moments break ties.
             // Our invention, and not what the paper means by BE
};

struct BaselineOptions {
  std::uint32_t k = 6;
  BaselineForm form = BaselineForm::Greedy;
  std::uint32_t window = 64;  // how many of the next unassigned users are looked at
};

struct BaselineRelease {
  CloakedSets sets;
  std::uint64_t friends_inside = 0;  // times a window held none but friends of the set
};

// Refuses k below 2 or above the number of nodes, and a window of 0.
Result<BaselineRelease> anonymize_baseline(const Graph& graph, const BaselineOptions& options);

// Random sets of k, for comparison. The last ones, too few for a set, join the last sets.
Result<CloakedSets> random_sets(const Graph& graph, std::uint32_t k, std::uint64_t seed);

// Variance and third central moment of a node's friend labels, each divided by the number of nodes.
struct LabelMoments {
  double variance = 0;
  double third = 0;
};
LabelMoments label_moments(const Graph& graph, Node node);

}  // namespace rankveil::graph
