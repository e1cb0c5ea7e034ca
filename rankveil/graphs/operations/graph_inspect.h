// What there is to know about a graph before it is anonymized.
#pragma once

#include <string>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/connect/source.h"
#include "rankveil/graphs/edge_list.h"
#include "rankveil/graphs/release/quality.h"

namespace rankveil::api {

struct GraphInspectRequest {
  connect::Source source = {};
  Progress progress = {};
};

struct GraphInspectResult {
  std::string name;
  graph::Shape shape;
  graph::EdgeListReport list;
  std::vector<std::string> warnings;
  double seconds = 0;
};

Result<GraphInspectResult> inspect_graph(const GraphInspectRequest& request);
Json to_json(const GraphInspectResult& result);
Json to_json(const graph::Shape& shape);

}  // namespace rankveil::api
