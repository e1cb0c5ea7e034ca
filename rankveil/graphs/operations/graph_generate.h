// Made-up graphs, written as edge lists.
#pragma once

#include <cstdint>
#include <string>

#include "rankveil/base/json.h"
#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
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
Json to_json(const GraphGenerateResult& result);

}  // namespace rankveil::api
