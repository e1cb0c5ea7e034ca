// Made-up graphs, the same for the same seed on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rankveil/base/result.h"
#include "rankveil/graphs/graph.h"

namespace rankveil::graph {

enum class Model {
  ChungLu,       // degrees follow a power law; whom one knows is chance
  ErdosRenyi,    // every pair is equally likely to be friends
  Preferential,  // newcomers befriend the well-known: Barabasi and Albert
};
Result<Model> model_named(std::string_view name);  // chung-lu, erdos-renyi, preferential
std::string_view name_of(Model model);

struct GenerateOptions {
  Model model = Model::ChungLu;
  std::uint32_t nodes = 1'000;
  std::uint64_t edges = 5'000;  // Preferential: about that many, edges / nodes for each newcomer
  double exponent = 2.5;        // of Chung-Lu's power law, above 2
  std::uint64_t seed = 1;
};

// Exactly `edges` distinct edges (but Preferential). Refuses fewer than two nodes, no edges, an
// exponent of 2 or less, and more edges than half of all pairs.
Result<Graph> generate(const GenerateOptions& options);

}  // namespace rankveil::graph
