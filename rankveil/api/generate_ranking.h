// Tables of numbers to rank, made up.
#pragma once

#include <cstdint>
#include <string>

#include "rankveil/api/generate.h"
#include "rankveil/base/json.h"
#include "rankveil/base/result.h"

namespace rankveil::api {

struct GenerateRankingRequest {
  std::uint32_t rows = 10'000;
  std::uint32_t dimensions = 5;
  std::string distribution = "uniform";  // or "correlated", "anti-correlated"
  std::uint64_t seed = 1;
  std::string table_path;  // .csv or .parquet
  bool force = false;      // replace a file that is there
};

struct GenerateRankingResult {
  std::uint64_t rows = 0;
  std::uint32_t dimensions = 0;
  std::string distribution;
  std::uint64_t seed = 0;
  WrittenFile table;
  double seconds = 0;
};

// Writes columns id, a1, a2, ... with numbers from 0 to 1 that read back equal.
Result<GenerateRankingResult> generate_ranking(const GenerateRankingRequest& request);

Json to_json(const GenerateRankingResult& result);

}  // namespace rankveil::api
