// rankveil graph inspect: what there is to know about a graph.
#include "rankveil/graphs/operations/graph_inspect.h"

#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/graphs/graph_options.h"
#include "cli/progress_bar.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct GraphInspectOptions {
  api::GraphInspectRequest request;
  bool json = false;
};

std::string direction_words(const graph::EdgeListReport& list) {
  switch (list.direction) {
    case graph::Direction::Once:
      return "every edge once";
    case graph::Direction::BothWays:
      return "every edge in both directions";
    case graph::Direction::Mixed:
      return fmt::format("{} in both directions, the rest in one", counted(list.both_ways, "edge"));
  }
  return "";
}

std::string show(const api::GraphInspectResult& result) {
  const graph::Shape& shape = result.shape;
  return fmt::format("{}: {}, {}\n\n", printable(result.name), counted(shape.nodes, "node"),
                     counted(shape.edges, "edge")) +
         fact("degree",
              fmt::format("smallest {}, median {}, largest {}", grouped(shape.least_degree),
                          grouped(shape.median_degree), grouped(shape.most_degree))) +
         fact("different degrees", grouped(shape.distinct_degrees)) +
         fact("nodes alone with theirs", fmt::format("{} ({})", grouped(shape.unique_degrees),
                                                     percent(shape.unique_degrees, shape.nodes))) +
         fact("triangles", grouped(shape.triangles)) +
         fact("clustering", fmt::format("{:.4f} (mean over nodes), {:.4f} (all pairs)",
                                        shape.clustering, shape.transitivity)) +
         fact("components", fmt::format("{}, the largest of {}", grouped(shape.components),
                                        counted(shape.largest_component, "node"))) +
         fact("edge list", fmt::format("{}, {}", counted(result.list.entries, "line"),
                                       direction_words(result.list)));
}

int run(GraphInspectOptions& told) {
  if (auto fine = check_graph_source(told.request.source); !fine) return fail(fine.error());
  auto result = with_bar(told.request.progress, [&] { return api::inspect_graph(told.request); });
  if (!result) return fail(result.error());
  print(told.json ? json_of(*result).dump() + "\n" : show(*result));
  for (const std::string& warning : result->warnings) say_warning(warning);
  say_note(fmt::format("inspected in {}", format_seconds(result->seconds)));
  return exit_ok;
}

}  // namespace

Run set_up_graph_inspect(Options& options) {
  auto told = std::make_shared<GraphInspectOptions>();
  add_graph_source(options, told->request.source);
  options.section("Output");
  options.flag("--json", "print JSON", told->json);
  options.example("rankveil graph inspect friends.csv");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli
