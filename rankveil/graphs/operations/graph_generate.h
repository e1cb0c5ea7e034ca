// Made-up graphs, written as edge lists.
#pragma once

#include <cstdint>
#include <string>

#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/base/text/described.h"
#include "rankveil/graphs/release/quality.h"

namespace rankveil::api {

struct GraphGenerateRequest {
  std::string model = "chung-lu";  // or erdos-renyi, preferential
  std::uint32_t nodes = 10'000;
  std::uint64_t edges = 50'000;
  double exponent = 2.5;  // of chung-lu
  std::uint64_t seed = 1;
  std::string path = {};  // .csv, .csv.gz or .parquet
  bool force = false;     // replace a file that is there
  Progress progress = {};
};

struct GraphGenerateResult {
  std::string model;
  std::uint32_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint32_t without_friends = 0;  // nodes that the edge list does not name
  std::uint64_t seed = 0;
  std::string path;
  std::uint64_t bytes = 0;
  double seconds = 0;
};

Result<GraphGenerateResult> generate_graph(const GraphGenerateRequest& request);

template <typename Field>
void describe(Field& field, GraphGenerateResult& result) {
  field("model", result.model, "`\"chung-lu\"`, `\"erdos-renyi\"` or `\"preferential\"`");
  field("nodes", result.nodes, "of the graph");
  field("edges", result.edges, "of the graph");
  field("without_friends", result.without_friends,
        "nodes that no edge, and so no line of the file, names");
  field("seed", result.seed, "the seed");
  field("path", result.path, "the edge list");
  field("bytes", result.bytes, "its size");
  field("seconds", result.seconds, "all of it");
}

}  // namespace rankveil::api
