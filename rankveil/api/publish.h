// Publishing the top of a table as anonymous ranges, and checking what was published.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/connect/source.h"
#include "rankveil/publish/groups.h"
#include "rankveil/publish/release/publication.h"

namespace rankveil::api {

// What rows are ranked by. One of the two texts; see publish/score.h.
struct RankingInput {
  connect::Source source;
  std::string rank_by;        // "points,2*assists,-turnovers"
  std::string score;          // "points + 2 * assists - turnovers"
  bool missing_last = false;  // rows that lack a ranking value come last; else they are refused
  std::uint32_t threads = 0;
  Progress progress;
};

struct PublishRequest {
  RankingInput input;
  publish::Demand demand;
  std::vector<std::string> quasi;
  std::vector<std::pair<std::string, std::string>> hierarchies;  // a column and a file each
  std::vector<std::string> sensitive;
  publish::Diversity diversity;
  std::string output;  // .csv, .parquet, .json, .md or .html; empty: nothing is written
  bool force = false;  // replace a file that is there
};

struct PublishResult {
  publish::Publication publication = {};
  std::string table;
  std::string output;
  std::uint64_t rows = 0;
  std::uint64_t tied = 0;        // rows at the end of the top with equal scores, see publish/top.h
  std::uint64_t incomplete = 0;  // rows without some ranking value
  std::vector<std::string> notes = {};  // what is withheld, what is not covered and why
  double read_seconds = 0;
  double form_seconds = 0;
};

// Refuses, and writes nothing, when no group meets the demand: the message says which demand failed
// and the nearest ones that would succeed.
Result<PublishResult> publish_top(const PublishRequest& request);

Json to_json(const PublishResult& result);

}  // namespace rankveil::api
