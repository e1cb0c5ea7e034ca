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

}  // namespace rankveil::api
