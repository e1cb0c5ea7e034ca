// How long it takes to anonymize a friendship graph and to attack the release.
//
//   bench_graph [--data DIR] [--large] [--quick] [--rounds N] [--no-peers]
//
// Gowalla (from DIR, RANKVEIL_DATA or ../shared/data) and a made-up graph of its size; --large adds
// one of 1,000,000 nodes and 10,000,000 edges. Steps that networkx and igraph have, too, are timed
// side by side, each answer compared first. Prints Markdown; the exit code is 1 when an answer is
// wrong. One thread throughout.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/versus/topk/child.h"
#include "bench/versus/topk/machine.h"
#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/base/json.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/graphs/attack/linkage.h"
#include "rankveil/graphs/degree_sequence.h"
#include "rankveil/graphs/files/edge_list.h"
#include "rankveil/graphs/generate.h"
#include "rankveil/graphs/release/quality.h"
#include "rankveil/graphs/release/release.h"

namespace rankveil::versus {
namespace {

struct Options {
  std::string data;
  bool large = false;
  bool quick = false;
  bool peers = true;
  std::uint32_t rounds = 3;
};

struct Times {
  double wall = 1e300;
  double cpu = 1e300;
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The least of some rounds: what others do on the machine only adds.
Times time_least(std::uint32_t rounds, const std::function<void()>& work) {
  Times least;
  for (std::uint32_t i = 0; i < rounds; ++i) {
    Stopwatch watch;
    double start = cpu_seconds();
    work();
    least.wall = std::min(least.wall, watch.seconds());
    least.cpu = std::min(least.cpu, cpu_seconds() - start);
  }
  return least;
}

double peak_megabytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e3;
}

struct Limits {
  double ca = 0, ia = 0, be = 0, attacks = 0, memory = 0;  // seconds; megabytes
};

std::string verdict(double value, double limit) {
  if (limit <= 0) return "-";
  return value <= limit ? "met" : "**missed**";
}

class Bench {
 public:
  explicit Bench(Options options) : options_(std::move(options)) {}

  int run() {
    fmt::print("{}, {}; {}; rankveil {}; {}\n\n", cpu_text(), system_text(), compiler_text(),
               RANKVEIL_VERSION, date_text());
    head({"graph", "step", "wall", "CPU", "limit", "verdict", "what came out"});
    std::string gowalla = options_.data + "/gowalla/edges.csv.gz";
    if (options_.quick) {
      measure("made up, 5,000 / 25,000", made_up(5'000, 25'000), {});
    } else {
      if (std::filesystem::exists(gowalla)) {
        measure_file("Gowalla", gowalla, {5, 0.3, 0.3, 1, 200});
      } else {
        fmt::print(stderr, "bench_graph: Gowalla was not found and is left out\n");
      }
      measure("made up, 196,591 / 950,327", made_up(196'591, 950'327), {5, 0.3, 0.3, 1, 200});
      if (options_.large) {
        measure("made up, 1,000,000 / 10,000,000", made_up(1'000'000, 10'000'000),
                {90, 2, 2, 2, 1'500});
      }
    }
    if (options_.peers) compare_peers(gowalla);
    return wrong_ ? 1 : 0;
  }

 private:
  static void row(const std::vector<std::string>& cells) {
    fmt::print("| {} |\n", fmt::join(cells, " | "));
    std::fflush(stdout);
  }
  static void head(const std::vector<std::string>& cells) {
    row(cells);
    row(std::vector<std::string>(cells.size(), "---"));
  }

  static std::shared_ptr<const graph::Graph> made_up(std::uint32_t nodes, std::uint64_t edges) {
    return std::make_shared<const graph::Graph>(*graph::generate({.nodes = nodes, .edges = edges}));
  }

  void expect(bool right, const std::string& what) {
    if (right) return;
    wrong_ = true;
    fmt::print(stderr, "bench_graph: wrong: {}\n", what);
  }

  void say(const std::string& name, const std::string& step, Times times, double limit,
           const std::string& outcome) {
    row({name, step, format_seconds(times.wall), format_seconds(times.cpu),
         limit > 0 ? format_seconds(limit) : "-", verdict(times.cpu, limit), outcome});
  }

  void measure_file(const std::string& name, const std::string& path, const Limits& limits) {
    std::optional<graph::NamedGraph> named;
    auto times = time_least(options_.rounds, [&] {
      auto read = connect::read_graph({.path = path});
      if (read) named = std::move(*read);
    });
    expect(named.has_value(), path);
    if (!named) return;
    say(name, "read a gzipped edge list", times, 0, counted(named->graph.edges(), "edge"));
    measure(name, std::make_shared<const graph::Graph>(std::move(named->graph)), limits);
  }

  void measure(const std::string& name, const std::shared_ptr<const graph::Graph>& graph,
               const Limits& limits) {
    using graph::Technique;
    for (auto [technique, limit] : {std::pair{Technique::Ca, limits.ca},
                                    {Technique::Ia, limits.ia},
                                    {Technique::Be, limits.be}}) {
      // Checks of the release are part of the time.
      std::optional<graph::Release> release;
      bool slow = technique == Technique::Ca && graph->edges() > 5'000'000;
      auto times = time_least(slow ? 1 : options_.rounds, [&] {
        auto made = anonymize(graph, {.technique = technique, .k = 6});
        if (made) release = std::move(*made);
      });
      std::string what = std::string(name_of(technique)) + ", k = 6";
      expect(release.has_value(), what);
      if (!release) continue;
      say(name, what, times, limit, counted(release->sets.size(), "set"));
      attack(name, *graph, *release, limits.attacks);
    }
    row({name, "peak memory so far", "-", "-",
         limits.memory > 0 ? fmt::format("{:g} MB", limits.memory) : "-",
         verdict(peak_megabytes(), limits.memory), fmt::format("{:.0f} MB", peak_megabytes())});
  }

  void attack(const std::string& name, const graph::Graph& graph, const graph::Release& release,
              double limit) {
    using attack::LinkageLevel;
    std::string technique(name_of(release.technique));
    std::optional<attack::Linkage> linkage;
    auto once = time_least(options_.rounds, [&] { linkage.emplace(graph, release); });
    say(name, technique + ": shared labels, once", once, limit, "-");
    std::string outcome;
    auto levels = {LinkageLevel::I, LinkageLevel::II, LinkageLevel::III, LinkageLevel::IV};
    auto draw = time_least(options_.rounds, [&] {
      outcome = "mle";
      auto background = attack::draw_background(graph.nodes(), 0.2, 0.2, 1);
      for (auto level : levels) {
        auto shares = linkage->identified(level, background);
        outcome += fmt::format(" {} {:.1f}%", attack::name_of(level), 100 * shares.mle);
      }
    });
    say(name, technique + ": both attacks, levels I to IV, a draw", draw, limit, outcome);
  }

  // What a peer says: step to seconds and answer.
  using Answers = std::map<std::string, std::pair<double, double>>;

  static Answers ask_peer(const std::string& peer, const std::string& path) {
    Answers answers;
    auto done = run_program({"/usr/bin/python3", RANKVEIL_GRAPH_PEERS, peer, path}, true);
    if (!done || done->exit_code != 0) return answers;
    std::string_view rest = done->output;
    while (!rest.empty()) {
      auto line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      auto json = parse_json(line);
      if (!json || json->find("step") == nullptr) continue;
      answers[*json->find("step")->as_text()] = {*json->find("seconds")->as_number(),
                                                 *json->find("answer")->as_number()};
    }
    return answers;
  }

  Answers ask_ourselves(const std::string& path) {
    Answers answers;
    graph::NamedGraph named;
    auto time = [&](const std::string& step, const std::function<double()>& work) {
      double answer = 0;
      auto times = time_least(options_.rounds, [&] { answer = work(); });
      answers[step] = {times.wall, answer};
    };
    time("read", [&] {
      named = *connect::read_graph({.path = path});
      return static_cast<double>(named.graph.edges());
    });
    auto degrees = graph::degrees_of(named.graph);
    time("clustering, triangles, components",
         [&] { return graph::shape_of(named.graph).clustering; });
    time("erdos-gallai", [&] { return graph::is_graphical(degrees) ? 1.0 : 0.0; });
    time("havel-hakimi", [&] {
      auto made = graph::construct_graph(degrees);
      expect(made && graph::degrees_of(*made) == degrees, "the degrees of a constructed graph");
      return made ? static_cast<double>(made->edges()) : 0;
    });
    return answers;
  }

  void compare_peers(const std::string& gowalla) {
    TemporaryFolder folder;
    std::string path = folder.path() + "/edges.csv";
    auto named = std::filesystem::exists(gowalla) && !options_.quick
                     ? connect::read_graph({.path = gowalla})
                     : Result<graph::NamedGraph>(bad_input("not there"));
    if (!named) {
      auto made = graph::edge_list_text(*made_up(2'000, 10'000), all_names(2'000));
      named = graph::parse_edge_list(made);
    }
    // Without gaps between node numbers, which igraph would fill.
    auto text = graph::edge_list_text(named->graph, all_names(named->graph.nodes()));
    expect(write_text(path, text).ok(), path);
    auto ours = ask_ourselves(path);
    fmt::print("\n");
    head({"step", "ours", "peer", "its time", "times ours", "same answer"});
    for (const char* peer : {"networkx", "igraph"}) {
      auto theirs = ask_peer(peer, path);
      if (theirs.empty()) {
        fmt::print(stderr, "bench_graph: {} is not installed and is left out\n", peer);
      }
      for (const auto& [step, answer] : theirs) {
        bool same = std::abs(answer.second - ours[step].second) <= 1e-9;
        expect(same,
               fmt::format("{} of {}: {} and {}", step, peer, answer.second, ours[step].second));
        row({step, format_seconds(ours[step].first), peer, format_seconds(answer.first),
             fmt::format("{:.1f}x", answer.first / ours[step].first), same ? "yes" : "**no**"});
      }
    }
  }

  static std::vector<std::uint64_t> all_names(std::uint64_t count) {
    std::vector<std::uint64_t> names;
    for (std::uint64_t name = 0; name < count; ++name) names.push_back(name);
    return names;
  }

  Options options_;
  bool wrong_ = false;
};

std::string default_data() {
  const char* folder = std::getenv("RANKVEIL_DATA");
  return folder != nullptr ? folder : RANKVEIL_DEFAULT_DATA;
}

}  // namespace
}  // namespace rankveil::versus

int main(int count, char** words) {
  rankveil::versus::Options options;
  options.data = rankveil::versus::default_data();
  bool no_peers = false;
  CLI::App app("Anonymizing friendship graphs and attacking the releases.");
  app.add_option("--data", options.data, "folder with gowalla/edges.csv.gz (RANKVEIL_DATA)");
  app.add_flag("--large", options.large, "also 1,000,000 nodes and 10,000,000 edges");
  app.add_flag("--quick", options.quick, "a small graph only");
  app.add_flag("--no-peers", no_peers, "without networkx and igraph");
  app.add_option("--rounds", options.rounds, "the least of so many")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, count, words);
  options.peers = !no_peers;
  return rankveil::versus::Bench(options).run();
}
