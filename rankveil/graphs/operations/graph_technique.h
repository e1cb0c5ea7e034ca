// A technique and its options as fronts spell them.
#pragma once

#include <cstdint>
#include <string>

#include "rankveil/base/result.h"
#include "rankveil/graphs/release/release.h"

namespace rankveil::api {

struct GraphTechnique {
  std::string name = "ca";             // ca, ia, be, random
  double alpha = 0;                    // ca: weight of attributes
  double beta = 1;                     // ca: weight of friends
  std::string grouping = "optimal";    // ia: optimal, greedy
  std::string editing = "add-delete";  // ia: add-delete, supergraph
  std::uint32_t probes = 20;           // ia: tries of supergraph
  std::string form = "greedy";         // be: greedy, balanced, similar
  std::uint32_t window = 64;           // be: users looked at
  std::uint64_t seed = 1;              // random, probing
};

// Refuses names that are not there.
Result<graph::ReleaseOptions> release_options(const GraphTechnique& technique, std::uint32_t k);

}  // namespace rankveil::api
