#include "rankveil/graphs/operations/graph_inspect.h"

#include "rankveil/base/stopwatch.h"
#include "rankveil/graphs/files/edge_list.h"

namespace rankveil::api {

Result<GraphInspectResult> inspect_graph(const GraphInspectRequest& request) {
  Stopwatch watch;
  auto named = connect::read_graph(request.source, {.threads = 0, .progress = request.progress});
  if (!named) return named.error();
  report(request.progress, "counting triangles", 0.5);
  return GraphInspectResult{.name = request.source.name(),
                            .shape = graph::shape_of(named->graph),
                            .list = named->report,
                            .warnings = graph::warnings_of(named->report),
                            .seconds = watch.seconds()};
}

Json to_json(const graph::Shape& shape) {
  return Json()
      .set("nodes", shape.nodes)
      .set("edges", shape.edges)
      .set("least_degree", shape.least_degree)
      .set("median_degree", shape.median_degree)
      .set("most_degree", shape.most_degree)
      .set("distinct_degrees", shape.distinct_degrees)
      .set("unique_degrees", shape.unique_degrees)
      .set("triangles", shape.triangles)
      .set("clustering", shape.clustering)
      .set("transitivity", shape.transitivity)
      .set("components", shape.components)
      .set("largest_component", shape.largest_component);
}

Json to_json(const GraphInspectResult& result) {
  return Json()
      .set("name", result.name)
      .set("shape", to_json(result.shape))
      .set("list", Json()
                       .set("entries", result.list.entries)
                       .set("self_loops", result.list.self_loops)
                       .set("repeats", result.list.repeats)
                       .set("both_ways", result.list.both_ways)
                       .set("direction", graph::name_of(result.list.direction)))
      .set("warnings", json_texts(result.warnings))
      .set("seconds", result.seconds);
}

}  // namespace rankveil::api
