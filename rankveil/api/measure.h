// What protection costs: an index against the table it was made of, on queries it was tuned for and
// on others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/api/table_input.h"
#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/ranking/index.h"
#include "rankveil/ranking/workload.h"
#include "rankveil/utility/measure.h"

namespace rankveil::api {

struct MeasureRequest {
  TableInput input;
  std::string index_path;
  std::string key_path;       // only where the index does not call its rows by their ids
  std::string workload_path;  // empty: three test workloads are made up of the table
  std::string tuning_path;    // the queries the index was tuned for; may be empty
  std::vector<std::uint32_t> ks = {10, 100};
  RankKind ranks = RankKind::Ordinal;
  std::uint32_t queries = 50;  // of each workload that is made up
  std::uint64_t seed = 1;      // of them
};

struct MeasuredWorkload {
  std::string name;  // "tuning", "test"; or "same", "uniform", "sparse" (ranking/sample_workload.h)
  std::string path;  // empty: made up
  Workload workload;
  utility::Utility utility;
};

struct MeasureResult {
  std::string table;
  std::string index_path;
  IndexInfo info;
  Schema schema;  // the table's; queries are of it
  std::uint32_t rows = 0;
  RankKind ranks = RankKind::Ordinal;
  std::vector<MeasuredWorkload> workloads;  // the tuning workload first
  std::vector<std::string> warnings;
  double read_seconds = 0;     // the table and the index
  double measure_seconds = 0;  // all queries of all workloads
};

Result<MeasureResult> measure(const MeasureRequest& request);

// `per_query` adds what each query gives.
Json to_json(const MeasureResult& result, bool per_query);

std::string_view rank_kind_name(RankKind kind);  // "ordinal", "competition"

}  // namespace rankveil::api
