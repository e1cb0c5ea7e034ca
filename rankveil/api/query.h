// The best rows of an index for what somebody asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/ranking/index.h"

namespace rankveil::api {

// What is asked: `wishes` and `query` together make one query; `queries` names a file of many.
struct QueryRequest {
  std::string index_path;
  std::vector<std::string> wishes;                      // "city=Paris", "religion=none|other"
  std::string query;                                    // {"city": "Paris"}
  std::string queries;                                  // .csv, .tsv, .parquet, .ndjson or .jsonl
  std::optional<std::uint32_t> k;                       // none: the index's own
  std::vector<std::pair<std::string, double>> weights;  // by attribute, for this run
  std::string row;  // an id: also tell this row's score and ranks
  std::uint32_t threads = 1;
};

struct QueryHit {
  std::uint32_t rank;  // from 1
  std::string id;
  double score;
  std::vector<std::optional<std::string>> public_values;  // as the schema has them
};

struct QueryRow {
  std::string id;
  double score;
  std::uint32_t rank;              // ties by row order
  std::uint32_t competition_rank;  // 1 + rows with a higher score
};

struct QueryAnswer {
  Query query;
  std::uint64_t count = 1;  // how often the file says it is asked
  Answer answer;
  double full_score = 0;  // of a row that matches every wish fully
  std::optional<QueryRow> row;
};

struct QueryResult {
  std::string index_path;
  Index index;
  IndexInfo info;
  Schema schema;
  std::uint32_t rows = 0;
  std::uint32_t k = 0;
  std::vector<QueryAnswer> answers;
  double open_seconds = 0;
  double rank_seconds = 0;  // all queries, without looking up public values
};

Result<QueryResult> query(const QueryRequest& request);

// The rows of an answer as they are shown. Made when asked for: of thousands of answers they would
// take far more memory than the index.
std::vector<QueryHit> hits_of(const QueryResult& result, const QueryAnswer& answer);

// One object per answer: a file of queries becomes one line each.
Json to_json(const QueryResult& result, const QueryAnswer& answer);

}  // namespace rankveil::api
