#include "rankveil/graphs/operations/graph_generate.h"

#include <fmt/core.h>

#include <filesystem>
#include <numeric>

#include "rankveil/api/report_outputs.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/graphs/files/edge_list.h"
#include "rankveil/graphs/generate.h"

namespace rankveil::api {

namespace {

std::uint64_t size_of(const std::string& path) {
  std::error_code problem;
  auto bytes = std::filesystem::file_size(path, problem);
  return problem ? 0 : bytes;
}

std::uint32_t count_without_friends(const graph::Graph& graph) {
  std::uint32_t count = 0;
  for (graph::Node node = 0; node < graph.nodes(); ++node) count += graph.degree(node) == 0 ? 1 : 0;
  return count;
}

}  // namespace

Result<GraphGenerateResult> generate_graph(const GraphGenerateRequest& request) {
  Stopwatch watch;
  auto model = graph::model_named(request.model);
  if (!model) return model.error();
  if (auto fine = check_may_write(request.path, request.force); !fine) return fine.error();
  report(request.progress, "generating", 0);
  auto made = graph::generate({.model = *model,
                               .nodes = request.nodes,
                               .edges = request.edges,
                               .exponent = request.exponent,
                               .seed = request.seed});
  if (!made) return made.error();
  std::vector<std::uint64_t> names(made->nodes());
  std::iota(names.begin(), names.end(), std::uint64_t{0});
  report(request.progress, "writing " + request.path, 0.5);
  if (auto done = connect::write_graph(*made, names, request.path); !done) return done.error();
  return GraphGenerateResult{.model = request.model,
                             .nodes = made->nodes(),
                             .edges = made->edges(),
                             .without_friends = count_without_friends(*made),
                             .seed = request.seed,
                             .path = request.path,
                             .bytes = size_of(request.path),
                             .seconds = watch.seconds()};
}

}  // namespace rankveil::api
