// rankveil graph generate: a made-up graph.
#include "rankveil/graphs/operations/graph_generate.h"

#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/graphs/graph_options.h"
#include "cli/progress_bar.h"
#include "cli/terminal.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct GraphGenerateOptions {
  api::GraphGenerateRequest request;
  bool json = false;
};

int run(GraphGenerateOptions& told) {
  auto result = with_bar(told.request.progress, [&] { return api::generate_graph(told.request); });
  if (!result) return fail(result.error());
  print(told.json ? json_of(*result).dump() + "\n"
                  : fmt::format("{}: {}, {}, {}\n", printable(result->path),
                                counted(result->nodes, "node"), counted(result->edges, "edge"),
                                format_bytes(result->bytes)));
  if (result->without_friends > 0) {
    say_note(fmt::format("{} no friends, so that the edge list does not name them",
                         result->without_friends == 1
                             ? "1 node has"
                             : grouped(result->without_friends) + " nodes have"));
  }
  say_note(fmt::format("generated in {}", format_seconds(result->seconds)));
  return exit_ok;
}

}  // namespace

Run set_up_graph_generate(Options& options) {
  auto told = std::make_shared<GraphGenerateOptions>();
  auto& request = told->request;
  options.positional("MODEL",
                     "chung-lu (degrees follow a power law), erdos-renyi (chance alone) or "
                     "preferential (newcomers befriend the well-known)",
                     request.model);
  options.choices("MODEL", {"chung-lu", "erdos-renyi", "preferential"});
  options.text("-o,--output", "FILE", "the edge list: .csv, .csv.gz or .parquet", request.path,
               Need::Required);
  options.number("-n,--nodes", "N", "how many people", request.nodes);
  options.number("-m,--edges", "N", "how many friendships", request.edges);
  add_real(options, "--exponent", "X", "of chung-lu's power law, above 2", request.exponent);
  options.number("--seed", "N", "the same seed gives the same file", request.seed);
  options.flag("--force", "replace a file that is there", request.force);
  options.flag("--json", "print JSON", told->json);
  options.example("rankveil graph generate chung-lu -n 10000 -m 50000 -o friends.csv");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli
