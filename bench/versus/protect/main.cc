// How long schemes take, and what serving their profiles costs. `--help` lists the options,
// docs/benchmarks.md says how it is measured.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>

#include "bench/versus/protect/parts.h"
#include "bench/versus/protect/report.h"
#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil::versus {
namespace {

struct Options {
  Pace pace;
  std::vector<std::string> cases;
  bool is_quick = false;
  std::string json;
};

std::string names_of_parts() {
  std::string text;
  for (const Part& part : all_parts()) text += fmt::format("\n  {:8} {}", part.name, part.title);
  return text;
}

void add_options(CLI::App& app, Options& options) {
  std::vector<std::string> names;
  for (const Part& part : all_parts()) names.emplace_back(part.name);
  app.add_option("--case", options.cases, "parts, by comma (all):" + names_of_parts())
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--only", options.pace.only, "cases whose name has this in it (not for serving)");
  app.add_option("--rows", options.pace.rows, "rows of the tables")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--plain-rows", options.pace.plain_rows,
                 "rows for the pseudo-code as printed; it takes their square")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--rounds", options.pace.rounds, "timed runs of a case, at most")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--cap", options.pace.cap_seconds, "no further round of a case after this long")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--threads", options.pace.threads, "to protect with")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", options.pace.seed, "of tables, workloads and key")
      ->capture_default_str();
  app.add_option("--json", options.json, "write the measurements to this file");
  app.add_flag("--quick", options.is_quick, "small tables, one round: only whether all is right");
}

void make_quick(Pace& pace) {
  pace.rows = 2000;
  pace.plain_rows = 300;
  pace.rounds = 1;
}

void say(const std::string& text) {
  fmt::print(stderr, "{}{}", text, isatty(STDERR_FILENO) != 0 ? "\033[K\r" : "\n");
}

Results run(const Options& options, std::string command) {
  Bench bench(options.pace, say);
  bench.results().command = std::move(command);
  bench.results().seed = options.pace.seed;
  bench.results().threads = options.pace.threads;
  bench.results().judged = !options.is_quick;
  for (const Part& part : all_parts()) {
    const auto& cases = options.cases;
    bool is_selected =
        cases.empty() || std::find(cases.begin(), cases.end(), part.name) != cases.end();
    if (is_selected) part.run(bench);
  }
  return std::move(bench.results());
}

std::string command_line(int count, char** words) {
  std::string text = "bench_protect";
  for (int i = 1; i < count; ++i) text += std::string(" ") + words[i];
  return text;
}

int run_main(int count, char** words) {
  Options options;
  CLI::App app("Schemes: how long they take, and what serving their profiles costs.");
  add_options(app, options);
  CLI11_PARSE(app, count, words);
  if (std::string problem = kernels::requested_isa_problem(); !problem.empty()) {
    fmt::print(stderr, "{}\n", problem);
    return 2;
  }
  if (options.is_quick) make_quick(options.pace);
  Results results = run(options, command_line(count, words));
  fmt::print("{}", to_markdown(results));
  if (!options.json.empty()) {
    std::ofstream file(options.json);
    file << to_json(results).dump() << '\n';
    if (!file.flush()) {
      fmt::print(stderr, "cannot write {}\n", options.json);
      return 4;
    }
  }
  for (const std::string& wrong : results.wrong) fmt::print(stderr, "wrong: {}\n", wrong);
  return results.wrong.empty() ? 0 : 1;
}

}  // namespace
}  // namespace rankveil::versus

int main(int count, char** words) { return rankveil::versus::run_main(count, words); }
