// The best rows of an index for what somebody asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/ranking/asking/ask.h"

namespace rankveil::api {

// What is asked: all but `queries` make one request; `queries` names a file of many, to each of
// which k, columns, facets and explain apply.
struct QueryRequest {
  std::string index_path;
  std::vector<std::string> where;                       // "city = Paris and age < 30"
  std::vector<std::string> wishes;                      // "city=Paris", "age~30/10^2"
  std::vector<std::string> sort;                        // "-income, age"
  std::string order;                                    // "prefer, sort"
  std::string query;                                    // {"city": "Paris"}
  std::string request_path;                             // a file with a request as JSON
  std::string queries;                                  // .csv, .tsv, .parquet, .ndjson or .jsonl
  std::optional<std::uint32_t> k;                       // none: the index's own
  std::optional<std::uint32_t> offset;                  // rows of the answer to leave out
  std::vector<std::string> columns;                     // public attributes to show; none: all
  std::vector<std::string> facets;                      // public attributes to count
  bool explain = false;                                 // tell what each wish added
  std::vector<std::pair<std::string, double>> weights;  // by attribute, for this run
  std::string row;  // an id: also tell this row's score and ranks
  std::uint32_t threads = 1;
};

// What a wish added to a row.
struct QueryReason {
  std::string wish;
  bool is_private = false;  // then it is a strength under the index's profile, no fact
  double added = 0;
  double full = 0;  // for a row that matches fully
};

struct QueryHit {
  std::uint32_t rank;  // from 1
  std::string id;
  double score;
  std::vector<std::optional<std::string>> public_values;  // of the answer's columns
  std::vector<QueryReason> reasons;                       // where they are asked for
};

struct QueryRow {
  std::string id;
  double score;
  std::uint32_t rank;              // ties by row order
  std::uint32_t competition_rank;  // 1 + rows that are better
};

struct QueryAnswer {
  Request request;
  BoundRequest bound;
  std::uint64_t count = 1;  // how often the file says it is asked
  Page page;
  double full_score = 0;  // of a row that matches every wish fully
  std::optional<QueryRow> row;
  std::vector<AttributeId> columns;  // to show
};

struct QueryResult {
  std::string index_path;
  Index index;
  IndexInfo info;
  Schema schema;
  std::uint32_t rows = 0;
  std::vector<QueryAnswer> answers;
  double open_seconds = 0;
  double rank_seconds = 0;  // all queries, without looking up public values

  // Whether explanations tell of private wishes: only where a promise covers what they tell.
  bool explains_private() const;
};

Result<QueryResult> query(const QueryRequest& request);

// Whether wishes or sort keys are about private attributes.
bool asks_for_private(const QueryResult& result, const QueryAnswer& answer);

// The rows of an answer as they are shown. Made when asked for: of thousands of answers they would
// take far more memory than the index.
std::vector<QueryHit> hits_of(const QueryResult& result, const QueryAnswer& answer);

// One object per answer: a file of queries becomes one line each.
Json to_json(const QueryResult& result, const QueryAnswer& answer);

}  // namespace rankveil::api
