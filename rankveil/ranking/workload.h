// The queries a ranking is tuned for or measured on, each with how often it was asked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/ranking/query.h"

namespace rankveil {

struct WorkloadEntry {
  Query query;
  std::uint64_t count = 1;
};

struct Workload {
  std::vector<WorkloadEntry> entries;
};

// One query per line as JSON: {"count": 3, "query": {"city": "Paris"}}; "count" may be left out.
// Empty lines are skipped; a message names the line.
Result<Workload> parse_workload_lines(const Schema& schema, std::string_view text,
                                      std::string_view source);

// Text cells as a CSV or Parquet file gives them: one column per attribute, and `count` if any. An
// empty or missing cell asks for nothing, "a|b" for either value. `cells` is row by row.
Result<Workload> workload_from_cells(const Schema& schema, const std::vector<std::string>& columns,
                                     const std::vector<std::vector<std::string>>& cells,
                                     std::string_view source);

// How often something is asked.
Result<std::uint64_t> count_from_json(const Json& json);

}  // namespace rankveil
