// The figures of the thesis on k-anonymous ranking queries, 10 to 13, and what it does not have:
// how far each heuristic is from the exact answer.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>

#include "bench/figures/karq_runs.h"
#include "rankveil/base/file.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/publish/made_up.h"
#include "rankveil/utility/estimate.h"

namespace rankveil::figures {
namespace {

struct Options {
  bool quick = false;
  std::string data;
  std::string json;

  std::uint32_t tables() const { return quick ? 10 : 100; }
  std::uint32_t seeds() const { return quick ? 1 : 20; }
};

using Names = std::vector<std::string>;
const Names greedy_names = {"perfect-recall", "mondrian", "greedy-deletion", "greedy-insertion",
                            "exact"};
const Names search_names = {"greedy-deletion", "grasp",       "grasp, 10 starts",
                            "theta",           "theta-rapid", "exact"};

struct Results {
  const KarqBed& bed;
  KarqCells cells;

  double success(const std::string& method, std::uint32_t k) const {
    return cells.at({method, k}).success;
  }
  // Beyond what PerfectRecall takes, which the thesis counts as 0: its box comes with the top.
  double seconds(const std::string& method, std::uint32_t k) const {
    return std::max(0.0, cells.at({method, k}).seconds - cells.at({"perfect-recall", k}).seconds);
  }
  // How much more often one succeeds than the other, table by table, over some k.
  utility::Estimate gap(const std::string& one, const std::string& other,
                        const std::vector<std::uint32_t>& ks) const {
    std::vector<double> differences(bed.tables.size(), 0);
    for (std::uint32_t k : ks) {
      for (std::size_t i = 0; i < differences.size(); ++i) {
        differences[i] += (cells.at({one, k}).by_table[i] - cells.at({other, k}).by_table[i]) /
                          static_cast<double>(ks.size());
      }
    }
    return utility::estimate(differences, std::vector<std::uint64_t>(differences.size(), 1));
  }
};

std::string points_text(const utility::Estimate& gap) {
  return fmt::format("{:+.1f} ±{:.1f} points", gap.mean * 100, gap.margin.value_or(0) * 100);
}

void add(Figure& figure, const Results& results, const std::string& claim, bool holds,
         const std::string& value) {
  figure.verdicts.push_back({claim, results.bed.name, value, holds});
}

Chart success_chart(const Results& results, const Names& names) {
  Chart chart{results.bed.name, {}};
  for (const std::string& name : names) {
    chart.series.push_back(success_series(results.cells, name, results.bed.tables.size()));
  }
  return chart;
}

Chart time_chart(const Results& results, const Names& names) {
  Chart chart{results.bed.name, {}};
  for (const std::string& name : names) {
    if (name == "perfect-recall") continue;
    Series series{name, {}, {}, {}};
    for (std::uint32_t k : karq_ks) {
      if (results.cells.at({name, k}).gave_up > 0) continue;
      series.xs.push_back(k);
      series.ys.push_back(results.seconds(name, k) * 1000);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// A claim that not even the exact search could meet on these tables says nothing about a method.
bool is_possible(const Results& r, Figure& figure, const std::string& claim, double room,
                 double needed) {
  if (room >= needed) return true;
  figure.notes.push_back(
      fmt::format("{}: \"{}\" cannot be tested: the exact search is {:.1f} points above, and "
                  "{:.0f} are claimed.",
                  r.bed.name, claim, room * 100, needed * 100));
  return false;
}

// "Far more often": 20 points on average over all k.
void judge_greedy(const Results& r, Figure& figure) {
  for (const char* baseline : {"perfect-recall", "mondrian"}) {
    const double room = r.gap("exact", baseline, karq_ks).mean;
    if (!is_possible(r, figure, fmt::format("far more often than {}", baseline), room, 0.2)) {
      continue;
    }
    auto gap = r.gap("greedy-deletion", baseline, karq_ks);
    add(figure, r, fmt::format("greedy deletion succeeds far more often than {}", baseline),
        gap.mean >= 0.2, points_text(gap));
  }
  double at_20 = r.success("perfect-recall", 20);
  add(figure, r, "perfect-recall always fails at k = 20", at_20 == 0,
      fmt::format("succeeds on {:.0f}%", at_20 * 100));
  auto gap = r.gap("mondrian", "perfect-recall", karq_ks);
  add(figure, r, "mondrian succeeds least often", gap.mean < 0,
      points_text(gap) + " to perfect-recall");
}

// Less than this beyond the top cannot be told from other work on the machine.
constexpr double min_time = 2e-6;

// How many times as long one takes as the other; nothing, and a note, where both are too short.
std::optional<double> ratio(const Results& r, Figure& figure, const std::string& claim, double one,
                            double other) {
  if (one >= min_time && other >= min_time) return one / other;
  figure.notes.push_back(fmt::format(
      "{}: \"{}\" cannot be tested: {:.1f} and {:.1f} microseconds are too short to compare.",
      r.bed.name, claim, one * 1e6, other * 1e6));
  return std::nullopt;
}

void judge_greedy_times(const Results& r, Figure& figure) {
  const std::string fast = "the time of greedy deletion rises fast with k";
  if (auto growth = ratio(r, figure, fast, r.seconds("greedy-deletion", 20),
                          r.seconds("greedy-deletion", 5))) {
    add(figure, r, fast, *growth >= 2, fmt::format("{:.2f} times from k = 5 to 20", *growth));
  }
  const std::string flat = "k does not change the time of mondrian";
  if (auto growth = ratio(r, figure, flat, r.seconds("mondrian", 20), r.seconds("mondrian", 5))) {
    add(figure, r, flat, *growth < 1.25 && *growth > 0.8, fmt::format("{:.2f} times", *growth));
  }
}

void judge_theta_share(const Results& r, Figure& figure) {
  double least = 1, exact = 1;
  for (std::uint32_t k : karq_ks) {
    least = std::min(least, r.success("theta", k));
    exact = std::min(exact, r.success("exact", k));
  }
  if (exact < 0.87) {
    figure.notes.push_back(
        fmt::format("{}: \"theta never succeeds on fewer than 87%\" cannot be tested: a box exists "
                    "on {:.0f}% of "
                    "the tables at some k.",
                    r.bed.name, exact * 100));
    return;
  }
  add(figure, r, "theta never succeeds on fewer than 87%", least >= 0.87,
      fmt::format("{:.1f}% at worst, exact {:.1f}%", least * 100, exact * 100));
}

void judge_search(const Results& r, Figure& figure) {
  const std::string more = "grasp succeeds more often than greedy deletion";
  if (is_possible(r, figure, more, r.gap("exact", "greedy-deletion", karq_ks).mean, 0.005)) {
    auto grasp = r.gap("grasp", "greedy-deletion", karq_ks);
    add(figure, r, more, grasp.mean > grasp.margin.value_or(0) + 1e-9, points_text(grasp));
  }
  const std::string far = "theta is 10 points above greedy deletion (k = 20)";
  if (is_possible(r, figure, far, r.gap("exact", "greedy-deletion", {20}).mean, 0.1)) {
    auto theta = r.gap("theta", "greedy-deletion", {20});
    add(figure, r, far, theta.mean >= 0.1, points_text(theta));
  }
  judge_theta_share(r, figure);
  double widest = 0;
  for (std::uint32_t k : karq_ks) {
    widest = std::max(widest, r.success("theta", k) - r.success("theta-rapid", k));
  }
  add(figure, r, "theta-rapid is within 4 points of theta", widest <= 0.04,
      fmt::format("{:.1f} points at most", widest * 100));
}

void judge_search_times(const Results& r, Figure& figure) {
  const double grasp = r.seconds("grasp", 20);
  const std::string longer = "theta takes longer than grasp (k = 20)";
  if (auto theta = ratio(r, figure, longer, r.seconds("theta", 20), grasp)) {
    add(figure, r, longer, *theta > 1, fmt::format("{:.2f} times", *theta));
  }
  const std::string half = "theta-rapid takes half the time of grasp (k = 20)";
  if (auto rapid = ratio(r, figure, half, r.seconds("theta-rapid", 20), grasp)) {
    add(figure, r, half, *rapid <= 0.5, fmt::format("{:.2f} times", *rapid));
  }
}

// Ours: the thesis has no exact answer.
void judge_exact(const Results& r, Figure& figure) {
  if (r.cells.at({"exact", 20}).gave_up > 0) {
    figure.notes.push_back(fmt::format(
        "{}: the exact search gave up on {} of {} tables at k = 20; its share there is not known.",
        r.bed.name, r.cells.at({"exact", 20}).gave_up, r.bed.tables.size()));
    return;
  }
  std::string best = "greedy-deletion";
  for (const std::string& name : search_names) {
    if (name != "exact" && r.success(name, 20) > r.success(best, 20)) best = name;
  }
  auto gap = r.gap("exact", best, {20});
  add(figure, r, "ours: the best heuristic is within 5 points of exact at k = 20", gap.mean <= 0.05,
      points_text(gap) + " from " + best + " to exact");
}

Chart distance_chart(const Results& results) {
  Chart chart{results.bed.name, {}};
  for (const KarqMethod& method : karq_methods()) {
    if (method.name == "exact") continue;
    Series series{method.name, {}, {}, {}};
    for (std::uint32_t k : karq_ks) {
      const KarqCell& cell = results.cells.at({method.name, k});
      if (cell.compared == 0 || results.cells.at({"exact", k}).gave_up > 0) continue;
      series.xs.push_back(k);
      series.ys.push_back(cell.positives);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::vector<Figure> empty_figures() {
  return {
      {"karq-10", "Figure 10: success of the greedy algorithms",
       "Greedy algorithms succeed far more often than PerfectRecall and Mondrian; Mondrian is "
       "lowest; PerfectRecall always fails at k = 20.",
       "k", "success"},
      {"karq-11", "Figure 11: time of the greedy algorithms",
       "Mondrian's time does not depend on k, that of the greedy algorithms rises fast. A "
       "top-100 with k_p = 10 takes less than 1.5 s.",
       "k", "ms beyond the top"},
      {"karq-12", "Figure 12: success of the local search algorithms",
       "GRASP succeeds more often than greedy deletion; theta by more than 10 points, and never "
       "less than 87 times in 100; theta-rapid is about 4 points away from theta.",
       "k", "success"},
      {"karq-13", "Figure 13: time of the local search algorithms",
       "theta takes longer than GRASP; theta-rapid takes half of GRASP's time at k = 20.", "k",
       "ms beyond the top"},
      {"karq-exact", "Beyond the thesis: true positives, as a share of the exact answer's", "", "k",
       "share of exact"}};
}

void draw(const Results& results, std::vector<Figure>& figures) {
  figures[0].charts.push_back(success_chart(results, greedy_names));
  judge_greedy(results, figures[0]);
  figures[1].charts.push_back(time_chart(results, greedy_names));
  judge_greedy_times(results, figures[1]);
  figures[2].charts.push_back(success_chart(results, search_names));
  judge_search(results, figures[2]);
  judge_exact(results, figures[2]);
  figures[3].charts.push_back(time_chart(results, search_names));
  judge_search_times(results, figures[3]);
  figures[4].charts.push_back(distance_chart(results));
}

// The one time that the thesis gives in seconds.
void judge_top_100(Figure& figure) {
  publish::Points points = publish::make_up({});
  for (const char* method : {"greedy-deletion", "greedy-insertion"}) {
    Stopwatch watch;
    auto formed = form_groups(points, {.top = 100, .k = 10, .method = method});
    double seconds = watch.seconds();
    figure.verdicts.push_back({fmt::format("{}: a top-100 with k = 10 takes under 1.5 s", method),
                               "uniform",
                               fmt::format("{:.2f} ms, {} groups, {:.0f}% covered", seconds * 1000,
                                           formed->groups.size(), formed->covered() * 100),
                               seconds < 1.5});
  }
}

Report run(const Options& options) {
  Stopwatch watch;
  Report report;
  report.program = "karq";
  report.setting = fmt::format(
      "k = k_p = k_q, precision 0.7, theta 0.04, 3 rounds of theta and 6 of theta-rapid, exchanges "
      "of one for one; methods that draw run with {} seeds. Success is the share of runs that meet "
      "both demands; intervals are 95% (Wilson) over {} tables. Times are medians over tables "
      "and seeds, one thread. A method that draws nothing counts, on each table, as the fastest of "
      "5 runs (exact: one run); one that draws has one run a seed. From both, what PerfectRecall "
      "takes, the fastest of 5 again, is taken off, since the thesis counts it as nothing.",
      options.seeds(), options.tables());
  report.figures = empty_figures();
  std::vector<KarqBed> beds = made_up_beds(options.tables());
  if (!options.quick) {
    for (KarqBed& bed : real_beds(options.data, options.tables(), report.notes)) {
      beds.push_back(std::move(bed));
    }
  }
  for (const KarqBed& bed : beds) {
    fmt::print(stderr, "{}\n", bed.name);
    report.beds.push_back(bed.name + ": " + bed.origin);
    draw({bed, run_karq(bed, options.seeds())}, report.figures);
  }
  judge_top_100(report.figures[1]);
  report.seconds = watch.seconds();
  return report;
}

Options read_options(int count, char** words) {
  Options options;
  if (const char* folder = std::getenv("RANKVEIL_DATA")) options.data = folder;
  std::error_code ignored;
  if (options.data.empty() && std::filesystem::is_directory(RANKVEIL_DEFAULT_DATA, ignored)) {
    options.data = RANKVEIL_DEFAULT_DATA;
  }
  for (int i = 1; i < count; ++i) {
    bool has_value = i + 1 < count;
    if (std::strcmp(words[i], "--quick") == 0) {
      options.quick = true;
    } else if (std::strcmp(words[i], "--data") == 0 && has_value) {
      options.data = words[++i];
    } else if (std::strcmp(words[i], "--json") == 0 && has_value) {
      options.json = words[++i];
    } else {
      fmt::print(stderr, "usage: figures_karq [--quick] [--data DIR] [--json FILE]\n");
      std::exit(2);
    }
  }
  return options;
}

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  using namespace rankveil::figures;
  auto options = read_options(count, words);
  Report report = run(options);
  fmt::print("{}", to_markdown(report));
  if (options.json.empty()) return 0;
  auto written = rankveil::write_text(options.json, to_json(report).dump() + "\n");
  if (!written) fmt::print(stderr, "{}\n", written.error().message);
  return written.ok() ? 0 : 1;
}
