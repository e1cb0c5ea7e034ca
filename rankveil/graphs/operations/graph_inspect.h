// What there is to know about a graph before it is anonymized.
#pragma once

#include <string>
#include <vector>

#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/base/text/described.h"
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

template <typename Field>
void describe(Field& field, GraphInspectResult& result) {
  field("name", result.name, "the file, or the SELECT");
  field("shape", result.shape, "the graph");
  field("list", result.list, "what the list of edges held");
  field("warnings", result.warnings, "what was left out and why");
  field("seconds", result.seconds, "all of it");
}

}  // namespace rankveil::api
