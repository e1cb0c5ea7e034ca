// Top-k queries: our engine against other systems. `--help` lists the options, docs/benchmarks.md
// says how it is measured.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <fstream>

#include "bench/versus/topk/bandwidth.h"
#include "bench/versus/topk/cases.h"
#include "bench/versus/topk/child.h"
#include "bench/versus/topk/machine.h"
#include "bench/versus/topk/ours.h"
#include "bench/versus/topk/ranks.h"
#include "bench/versus/topk/report.h"
#include "rankveil/base/file.h"
#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil::versus {
namespace {

struct Options {
  std::vector<std::uint32_t> rows;
  bool is_full = false;
  bool is_child = false;  // one of the processes that compare instruction sets
  std::vector<std::string> only;
  std::vector<std::string> skip;
  std::vector<std::string> cases;
  Pace pace;
  std::uint64_t seed = 1;
  std::string json;
};

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_selected(const Options& options, const std::string& name) {
  return (options.only.empty() || has(options.only, name)) && !has(options.skip, name);
}

bool is_selected_case(const Options& options, const std::string& name) {
  return options.cases.empty() || has(options.cases, name);
}

void add_options(CLI::App& app, Options& options) {
  std::vector<std::string> contestants;
  for (const Entry& entry : all_contestants()) contestants.push_back(entry.name);
  std::vector<std::string> cases = {"ranks", "bandwidth", "isa"};
  for (const Case& what : all_cases()) cases.push_back(what.name);
  app.add_option("--rows", options.rows, "table size; may be repeated (300000 and 3000000)");
  app.add_flag("--full", options.is_full, "also 30000000 rows, for contestants that load fast");
  app.add_option("--only", options.only, "contestants, by comma")
      ->delimiter(',')
      ->check(CLI::IsMember(contestants));
  app.add_option("--skip", options.skip, "contestants to leave out, by comma")
      ->delimiter(',')
      ->check(CLI::IsMember(contestants));
  app.add_option("--case", options.cases, "cases, by comma (all)")
      ->delimiter(',')
      ->check(CLI::IsMember(cases));
  app.add_option("--rounds", options.pace.rounds, "rounds through all contestants")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--cap", options.pace.cap_seconds, "seconds per contestant and case, about")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", options.seed, "of table and queries")->capture_default_str();
  app.add_option("--json", options.json, "write the measurements to this file");
  app.add_flag("--child", options.is_child)->group("");
}

void say(const std::string& text) {
  fmt::print(stderr, "{}{}", text, isatty(STDERR_FILENO) != 0 ? "\033[K\r" : "\n");
}

// Everything of one table size.
class Size {
 public:
  Size(const Options& options, std::uint32_t rows, Report& report)
      : options_(options), rows_(rows), report_(report) {}

  void run() {
    talk("making the table");
    table_ = make_table(rows_, options_.seed);
    exact_ = exact_data(table_);
    if (is_selected(options_, "ours")) prepare_reference();
    const std::vector<Case>& cases = all_cases();
    for (std::size_t first = 0; first < cases.size();) {
      std::size_t end = first + 1;
      while (end < cases.size() && cases[end].kind == Kind::Exact) ++end;
      run_cases({cases.data() + first, cases.data() + end});
      first = end;
    }
  }

 private:
  void talk(const std::string& text) const { say(fmt::format("{} rows: {}", rows_, text)); }

  void prepare_reference() {
    talk("preparing rankveil, unprotected");
    reference_ = prepare_ours(exact_);
    report_.index_bytes[rows_] = reference_->index().bytes();
  }

  static std::unique_ptr<Ours> prepare_ours(const Data& data) {
    std::unique_ptr<Ours> ours = make_ours();
    [[maybe_unused]] Status ready = ours->prepare(data);
    assert(ready.ok() && "our engine takes any table");
    return ours;
  }

  bool wants_ranks(const Case& what) const {
    return what.kind == Kind::Sets && reference_ != nullptr && is_selected_case(options_, "ranks");
  }

  // Cases on the same data.
  void run_cases(std::span<const Case> cases) {
    std::vector<Case> selected;
    for (const Case& what : cases) {
      if (is_selected_case(options_, what.name)) selected.push_back(what);
    }
    bool has_ranks = wants_ranks(cases[0]);
    if (selected.empty() && !has_ranks) return;
    talk("making the data of " + cases[0].name);
    Data data = make_data(cases[0], table_, options_.seed);
    std::vector<std::unique_ptr<Contestant>> contestants = prepare(selected, data);
    for (const Case& what : selected) run_one(what, data, contestants);
    if (has_ranks) run_ranks_on(data);
  }

  std::vector<std::unique_ptr<Contestant>> prepare(const std::vector<Case>& cases,
                                                   const Data& data) {
    std::vector<std::unique_ptr<Contestant>> prepared;
    for (const Entry& entry : all_contestants()) {
      if (!is_selected(options_, entry.name)) continue;
      auto contestant = prepare_one(entry, cases, data);
      if (contestant == nullptr) continue;
      if (!has(report_.versions, contestant->version())) {
        report_.versions.push_back(contestant->version());
      }
      prepared.push_back(std::move(contestant));
    }
    return prepared;
  }

  std::unique_ptr<Contestant> prepare_one(const Entry& entry, const std::vector<Case>& cases,
                                          const Data& data) {
    if (!entry.make) {
      skip(fmt::format("{} was not built in; it needs {}", entry.name, entry.needs));
      return nullptr;
    }
    if (entry.name == "ours" && data.kind == Kind::Exact) return reference_->twin();
    std::unique_ptr<Contestant> contestant = entry.make();
    bool takes_part = std::any_of(cases.begin(), cases.end(),
                                  [&](const Case& what) { return contestant->supports(what); });
    if (!takes_part) return nullptr;
    if (rows_ > contestant->largest_table()) {
      skip(fmt::format("{} at {} rows", contestant->name(), count_text(rows_)));
      return nullptr;
    }
    talk("preparing " + contestant->name());
    Status ready = contestant->prepare(data);
    if (ready) return contestant;
    skip(fmt::format("{}: {}", contestant->name(), ready.error().message));
    return nullptr;
  }

  void skip(const std::string& text) {
    if (!has(report_.skipped, text)) report_.skipped.push_back(text);
  }

  void run_one(const Case& what, const Data& data,
               const std::vector<std::unique_ptr<Contestant>>& contestants) {
    Task task = make_task(what, *table_, options_.seed);
    Case plain = all_cases()[0];
    plain.name = what.name;
    Task plain_task = make_task(plain, *table_, options_.seed);
    std::vector<Entrant> entrants;
    for (const auto& contestant : contestants) {
      if (contestant->supports(what)) entrants.push_back({contestant.get(), &data, &task});
    }
    if (entrants.empty()) return;
    if (has_reference(what) && reference_ != nullptr) {
      entrants.push_back({reference_.get(), &exact_, &plain_task, true});
    }
    take(run_case(entrants, options_.pace,
                  [&](const std::string& text) { talk(what.name + ": " + text); }));
  }

  void run_ranks_on(const Data& data) {
    std::unique_ptr<Ours> after = prepare_ours(data);
    take(run_ranks(*reference_, exact_, *after, data, options_.pace.rounds, options_.seed,
                   [&](const std::string& text) { talk(text); }));
  }

  void take(const CaseOutcome& outcome) {
    auto& all = report_.measurements;
    all.insert(all.end(), outcome.measurements.begin(), outcome.measurements.end());
    for (const std::string& wrong : outcome.wrong) report_.wrong.push_back(wrong);
    for (const std::string& failed : outcome.failed) skip(failed);
  }

  const Options& options_;
  std::uint32_t rows_;
  Report& report_;
  std::shared_ptr<const Table> table_;
  Data exact_;
  std::unique_ptr<Ours> reference_;
};

// The engine reads RANKVEIL_ISA once, so each instruction set gets a process.
void compare_isas(const Options& options, std::uint32_t rows, Report& report) {
  for (const char* isa : {"avx512", "avx2", "sse42", "scalar"}) {
    say(fmt::format("{} rows: instruction set {}", rows, isa));
    TemporaryFolder folder;
    std::string file = folder.path() + "/isa.json";
    auto finished =
        run_program({"/proc/self/exe", "--child", "--only", "ours", "--case", "single", "--rows",
                     std::to_string(rows), "--seed", std::to_string(options.seed), "--rounds",
                     std::to_string(options.pace.rounds), "--cap",
                     std::to_string(options.pace.cap_seconds), "--json", file},
                    /*quiet=*/true, {std::string("RANKVEIL_ISA=") + isa});
    std::ifstream in(file);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    auto parsed = parse_json(text);
    if (!finished || finished->exit_code != 0 || !parsed) {
      report.skipped.push_back(fmt::format("instruction set {}: the engine refused it", isa));
      continue;
    }
    for (const Json& entry : *parsed->as_array()) {
      report.isa[rows][isa] = {entry.find("median_us")->as_number().value_or(0),
                               *entry.find("answers_checked")->as_integer()};
    }
  }
}

std::vector<std::uint32_t> sizes_of(const Options& options) {
  std::vector<std::uint32_t> sizes = options.rows;
  if (sizes.empty()) sizes = {300'000, 3'000'000};
  if (options.is_full) sizes.push_back(30'000'000);
  return sizes;
}

Report run(const Options& options, std::string command) {
  Report report;
  report.command = std::move(command);
  report.seed = options.seed;
  report.rounds = options.pace.rounds;
  report.sizes = sizes_of(options);
  if (!options.is_child && is_selected_case(options, "bandwidth")) {
    say("measuring memory bandwidth");
    report.bandwidth = {read_bandwidth(1), read_bandwidth(20)};
  }
  for (std::uint32_t rows : report.sizes) Size(options, rows, report).run();
  if (!options.is_child && is_selected(options, "ours") && is_selected_case(options, "isa")) {
    for (std::uint32_t rows : report.sizes) compare_isas(options, rows, report);
  }
  return report;
}

std::string command_line(int count, char** words) {
  std::string text = "bench_topk";
  for (int i = 1; i < count; ++i) text += std::string(" ") + words[i];
  return text;
}

int fail(const Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  return static_cast<int>(error.code);
}

// What cannot be written is met here, not after the work.
Status check_output(const std::string& path) {
  if (path.empty()) return {};
  auto probe = AtomicFile::create(path);  // made and dropped
  return probe ? Status{} : probe.error();
}

int run_main(int count, char** words) {
  Options options;
  CLI::App app("Top-k queries: our engine against other systems.");
  add_options(app, options);
  CLI11_PARSE(app, count, words);
  if (std::string problem = kernels::requested_isa_problem(); !problem.empty()) {
    fmt::print(stderr, "{}\n", problem);
    return 2;
  }
  if (auto fine = check_output(options.json); !fine) return fail(fine.error());
  Report report = run(options, command_line(count, words));
  fmt::print("{}", to_markdown(report));
  if (!options.json.empty()) {
    auto written = write_text(options.json, to_json(report).dump() + "\n");
    if (!written) return fail(written.error());
  }
  for (const std::string& wrong : report.wrong) fmt::print(stderr, "wrong answer: {}\n", wrong);
  return report.wrong.empty() ? 0 : 1;
}

}  // namespace
}  // namespace rankveil::versus

int main(int count, char** words) { return rankveil::versus::run_main(count, words); }
