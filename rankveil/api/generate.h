// Synthetic tables, each with a policy that fits and queries to try on it.
#pragma once

#include <cstdint>
#include <string>

#include "rankveil/base/json.h"
#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"

namespace rankveil::api {

struct GenerateRequest {
  std::string kind = "people";  // the only one here; see generate_ranking.h
  std::uint32_t rows = 300'000;
  std::uint32_t attributes = 20;  // 4 to 20
  std::uint64_t seed = 1;
  std::uint32_t queries = 20;  // in the workload
  std::string table_path;      // .csv, .csv.gz or .parquet
  std::string policy_path;     // empty: people.toml for people.csv
  std::string workload_path;   // empty: people-workload.csv for people.csv
  bool force = false;          // replace files that are there
  Progress progress;
};

struct WrittenFile {
  std::string path;
  std::uint64_t bytes = 0;
};

struct GenerateResult {
  std::string kind;
  std::uint64_t rows = 0;
  std::uint32_t attributes = 0;
  std::uint32_t private_attributes = 0;
  std::uint64_t seed = 0;
  std::uint64_t queries = 0;
  WrittenFile table, policy, workload;
  double seconds = 0;
};

// Writes the three files, or none when something is refused. Replaces files that are there only
// with `force` (a policy that would stay the same is fine).
Result<GenerateResult> generate(const GenerateRequest& request);

Json to_json(const GenerateResult& result);

}  // namespace rankveil::api
