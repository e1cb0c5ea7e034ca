// rankveil generate: a synthetic table of people with its policy and a workload, or one to rank.
#include "rankveil/api/generate.h"

#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "rankveil/api/generate_ranking.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct GenerateOptions {
  api::GenerateRequest request;
  api::GenerateRankingRequest ranking;
  std::optional<std::uint32_t> rows;
  bool json = false;
};

std::string show(const api::GenerateResult& result) {
  TextTable files;
  files.column("wrote");
  files.column("size", Align::Right);
  files.column("what");
  files.row({result.table.path, format_bytes(result.table.bytes),
             fmt::format("{}, {} attributes ({} private)", counted(result.rows, "row"),
                         result.attributes, result.private_attributes)});
  files.row({result.policy.path, format_bytes(result.policy.bytes), "a policy that fits"});
  files.row({result.workload.path, format_bytes(result.workload.bytes),
             result.queries == 1 ? "1 query" : grouped(result.queries) + " queries"});
  return files.render(out_terminal());
}

int run_ranking(GenerateOptions& told) {
  api::GenerateRankingRequest& request = told.ranking;
  request.rows = told.rows.value_or(request.rows);
  request.seed = told.request.seed;
  request.table_path = told.request.table_path;
  request.force = told.request.force;
  auto result = api::generate_ranking(request);
  if (!result) return fail(result.error());
  if (told.json) {
    print(to_json(*result).dump() + "\n");
  } else {
    TextTable files;
    files.column("wrote");
    files.column("size", Align::Right);
    files.column("what");
    files.row({result->table.path, format_bytes(result->table.bytes),
               fmt::format("{}, {}, {}", counted(result->rows, "row"),
                           counted(result->dimensions, "number") + " each", result->distribution)});
    print(files.render(out_terminal()));
  }
  say_note(fmt::format("generated in {}", format_seconds(result->seconds)));
  return exit_ok;
}

// What is for the other kind is refused, not passed over.
Status check_kind(const std::string& kind, const Options& options) {
  const bool ranking = kind == "ranking";
  const auto others = options.given_in(ranking ? "People" : "Ranking");
  if (others.empty()) return {};
  return wrong_use(fmt::format("{} is for generate {}; leave it out", others.front(),
                               ranking ? "people" : "ranking"));
}

int run(GenerateOptions& told, const Options& options) {
  if (auto fits = check_kind(told.request.kind, options); !fits) return fail(fits.error());
  if (told.request.table_path.empty()) told.request.table_path = told.request.kind + ".csv";
  if (told.request.kind == "ranking") return run_ranking(told);
  told.request.rows = told.rows.value_or(told.request.rows);
  auto result = with_bar(told.request.progress, [&] { return api::generate(told.request); });
  if (!result) return fail(result.error());
  print(told.json ? to_json(*result).dump() + "\n" : show(*result));
  say_note(fmt::format("generated in {}", format_seconds(result->seconds)));
  return exit_ok;
}

}  // namespace

Run set_up_generate(Options& options) {
  auto told = std::make_shared<GenerateOptions>();
  auto& request = told->request;
  options.positional("KIND", "what to make up: people, or ranking (numbers)", request.kind);
  options.choices("KIND", {"people", "ranking"});
  options.text("-o,--output", "FILE",
               "the table: .csv, .csv.gz or .parquet (default: people.csv or ranking.csv)",
               request.table_path);
  options.number("-n,--rows", "N", "how many (default 300,000; ranking: 10,000)", told->rows, 1,
                 1'000'000'000);
  options.number("--seed", "N", "the same seed gives the same files", request.seed);
  options.flag("--force", "replace files that are there", request.force);
  options.flag("--json", "print JSON", told->json);
  options.section("People");
  options.number("--attributes", "N", "4 to 20, half of them private", request.attributes);
  options.number("--queries", "N", "queries in the workload", request.queries, 0, 1'000'000);
  options.text("--policy", "FILE", "the policy (default: people.toml beside people.csv)",
               request.policy_path);
  options.text("--workload", "FILE",
               "the workload (default: people-workload.csv beside people.csv)",
               request.workload_path);
  options.section("Ranking");
  options.number("--dimensions", "N", "numbers a row has", told->ranking.dimensions, 1, 32);
  options.text("--distribution", "NAME", "uniform, correlated or anti-correlated",
               told->ranking.distribution);
  options.choices("--distribution", {"uniform", "correlated", "anti-correlated"});
  options.example("rankveil generate people -n 300000 --seed 1 -o people.csv");
  options.example("rankveil generate ranking -n 10000 --distribution correlated -o ranking.csv");
  return [told, &options] { return run(*told, options); };
}

}  // namespace rankveil::cli
