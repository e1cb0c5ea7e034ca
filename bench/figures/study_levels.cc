// Table 2 of the study of privacy and utility, measured anew: what adversaries of every level guess
// about rows that each scheme protects, beside the study's own figures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "bench/figures/lab/beds.h"
#include "bench/figures/lab/lab.h"
#include "bench/figures/lab/study_draws.h"
#include "rankveil/audit/levels.h"
#include "rankveil/ranking/sample_workload.h"

namespace rankveil::figures {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double endless = std::numeric_limits<double>::infinity();

constexpr std::size_t level_count = 8;
constexpr std::array<const char*, level_count> levels = {
    "ignorant", "knowledgeable",  "mechanism-table", "mechanism-public",
    "joint",    "joint-balanced", "bayesian-joint",  "population"};
using Rates = std::array<double, level_count>;

// A line of the study's table.
struct Line {
  std::string label;
  Demand demand;
  Rates published;
  double certain = unknown;  // share of values that the strongest level is sure of
  double gain = unknown;     // the largest, at bayesian-joint
  ValueOrder order = ValueOrder::Natural;
};

Demand demand(const std::string& scheme, std::uint32_t l = 2) {
  return {.scheme = scheme, .l = l, .node_budget = node_budget, .levels = 255};
}

Demand with_gamma(Demand demand, double gamma) {
  demand.gamma = gamma;
  return demand;
}

Demand with_pairing(Demand demand, Pairing pairing) {
  demand.pairing = pairing;
  return demand;
}

// The study ran no joint level for randomised profiles, and lets T5 speak for swap.
std::vector<Line> study_lines() {
  constexpr double x = unknown;
  return {
      {"drop", demand("drop"), {.14, .16, .57, .61, .61, .61, .61, .61}, 0, 0},
      {"generalise", demand("generalise"), {.49, .69, .73, .79, .87, .87, .87, .79}, .37, 1},
      // The study does not say in which order it put values into blocks.
      {"generalise, by frequency",
       demand("generalise"),
       {.49, .69, .73, .79, .87, .87, .87, .79},
       .37,
       1,
       ValueOrder::MostFrequentFirst},
      {"rr-mean", demand("rr-mean"), {.14, .16, .68, .70, x, x, .72, .70}, 0, .99},
      {"random", demand("random"), {.50, .83, .85, .87, .95, .96, .93, .87}, .66, 1},
      {"pvsv", demand("pvsv"), {.50, .86, .98, .99, 1, 1, 1, .98}, .99, 1},
      {"capped, gamma 1",
       with_gamma(demand("capped"), 1),
       {.50, .60, x, .68, x, x, .79, .70},
       .20,
       x},
      {"pvst", demand("pvst"), {.49, .49, x, .99, .94, .95, .99, .78}, .95, 1},
      {"esvt", demand("esvt"), {.50, .68, x, .99, .92, .94, .99, .77}, .97, 1},
      {"estt, random",
       with_pairing(demand("estt"), Pairing::Random),
       {.50, .62, x, x, .73, .74, .73, .73},
       .25,
       1},
      {"estt, sorted weight",
       with_pairing(demand("estt"), Pairing::SortedWeight),
       {.50, .59, x, x, .68, .68, .68, .68},
       .18,
       1},
      {"estt, optimal", demand("estt"), {.50, .58, x, x, .68, .67, .68, .68}, .17, 1},
      {"cluster, gamma 2",
       with_gamma(demand("cluster"), 2),
       {.36, .36, x, .64, .62, .62, .64, .63},
       .01,
       .50},
      {"cluster, gamma inf",
       with_gamma(demand("cluster"), endless),
       {.69, .69, x, .69, .69, .69, .69, .69},
       .39,
       1},
      {"swap", demand("swap"), {.16, .16, x, .74, x, x, .74, .73}, 0, .50},
      {"ldp", demand("ldp"), {x, x, x, x, x, x, x, x}},
      {"rr", demand("rr"), {x, x, x, x, x, x, .72, x}},
  };
}

// The strongest level at l = 3 and 4.
struct StrongLine {
  std::string label;
  Demand demand;
  double published;
};

std::vector<StrongLine> strong_lines() {
  std::vector<StrongLine> lines;
  auto add = [&](const std::string& label, const Demand& at2, double at3, double at4) {
    for (std::uint32_t l : {3U, 4U}) {
      Demand wanted = at2;
      wanted.l = l;
      lines.push_back({fmt::format("{}, l = {}", label, l), wanted, l == 3 ? at3 : at4});
    }
  };
  add("pvsv", demand("pvsv"), .99, .96);
  add("pvst", demand("pvst"), .97, .94);
  add("esvt", demand("esvt"), .98, .91);
  add("random", demand("random"), .86, .77);
  add("estt, sorted weight", with_pairing(demand("estt"), Pairing::SortedWeight), .63, .62);
  add("cluster, gamma 2", with_gamma(demand("cluster"), 2), .63, .64);
  add("swap", demand("swap"), .67, .64);
  return lines;
}

// A sample of a table, rows of the same table that are not in it, and a workload.
struct Stage {
  Table table;
  Table others;
  Workload workload;
};

Stage make_stage(const Table& all, std::uint32_t rows, std::uint64_t seed) {
  constexpr std::uint32_t max_others = 20'000;
  std::vector<std::uint32_t> drawn = shuffled(all.rows(), seed);
  auto cut = drawn.begin() + std::min<std::ptrdiff_t>(rows, std::ssize(drawn));
  auto end = cut + std::min<std::ptrdiff_t>(max_others, drawn.end() - cut);
  Table table = take_rows(all, {drawn.begin(), cut});
  Workload workload = test_workload(table, TestQueries::Same, {.queries = 10, .seed = 1000 + seed});
  return {std::move(table), take_rows(all, {cut, end}), std::move(workload)};
}

Result<Protection> protected_by(const Stage& stage, const Demand& demand, std::uint64_t seed) {
  SecretKey key = SecretKey::from_seed(seed);
  return protect({.table = stage.table, .workload = stage.workload, .demand = demand, .key = key});
}

Result<audit::Judgement> judged(const Stage& stage, const Demand& demand, std::uint64_t seed) {
  auto made = protected_by(stage, demand, seed);
  if (!made) return made.error();
  audit::Observed observed{stage.table, made->profiles, audit::Mechanism{demand, stage.workload},
                           &stage.others};
  return audit::judge_profiles(observed, {});
}

// Figures over all attributes, by level.
std::map<std::string, audit::Finding> totals(const audit::Judgement& judgement) {
  std::map<std::string, audit::Finding> found;
  for (const audit::Finding& finding : judgement.findings) {
    if (finding.attribute == "all") found.emplace(finding.level, finding);
  }
  return found;
}

struct Runs {
  std::array<std::vector<double>, level_count> rates;
  std::vector<double> certain, gain, strongest, prior, prior_public;

  void add(const audit::Judgement& judgement) {
    auto found = totals(judgement);
    double best = 0, sure = 0;
    for (std::size_t i = 0; i < level_count; ++i) {
      auto level = found.find(levels[i]);
      if (level == found.end()) continue;
      rates[i].push_back(level->second.rate);
      best = std::max(best, level->second.rate);
      sure = std::max(sure, i < 3 ? 0 : level->second.certain);
    }
    strongest.push_back(best);
    certain.push_back(sure);
    gain.push_back(found.at("bayesian-joint").gain);
    prior.push_back(found.at("prior").rate);
    prior_public.push_back(found.at("prior-public").rate);
  }
};

utility::Estimate mean_of(const std::vector<double>& values) {
  return utility::estimate(values, std::vector<std::uint64_t>(values.size(), 1));
}

// One column of the table as a figure: the study's value of every line, and ours.
class Column {
 public:
  Column(std::string id, const std::string& name, const std::string& says)
      : figure_{std::move(id), "The study's table 2: " + name, says, "", name, Look::Dots},
        published_{"the study", {}, {}, {}},
        ours_{"ours", {}, {}, {}} {}

  void add(const std::string& label, double published, const std::vector<double>& values) {
    if (values.empty()) return;
    figure_.categories.push_back(label);
    auto x = static_cast<double>(figure_.categories.size());
    utility::Estimate mean = mean_of(values);
    double margin = mean.margin.value_or(0);
    ours_.xs.push_back(x);
    ours_.ys.push_back(mean.mean);
    ours_.margins.push_back(margin);
    if (std::isnan(published)) return;
    published_.xs.push_back(x);
    published_.ys.push_back(published);
    double difference = mean.mean - published;
    figure_.verdicts.push_back(
        {fmt::format("{}: {:.2f}", label, published), "all tables",
         fmt::format("{:.3f} ±{:.3f}, difference {:+.3f}", mean.mean, margin, difference),
         std::fabs(difference) <= margin + 0.005});
  }

  Figure take() {
    figure_.charts = {{"all tables", {std::move(published_), std::move(ours_)}}};
    return std::move(figure_);
  }

 private:
  Figure figure_;
  Series published_, ours_;
};

class Study {
 public:
  Study(Lab& lab, Report& report)
      : lab_(lab),
        report_(report),
        lines_(study_lines()),
        strong_(strong_lines()),
        runs_(lines_.size()),
        strong_runs_(strong_.size()) {}

  void run() {
    for_each_draw(lab_, [&](const StudyDraw& draw) {
      if (draw.is_first()) report_.beds.push_back(draw.table.name);
      run_lines(make_stage(draw.rows, rows(), draw.seed), draw.order, draw.seed);
    });
    report_.setting = fmt::format(
        "{} tables x {} seeds, {} rows each, 2 public and 5 private attributes, l = 2 unless said; "
        "other rows for `population`: up to 20,000. Guess rates over all private values. ± is 95% "
        "over tables and seeds. A figure of the study is reproduced when ours is no further away "
        "than this spread and the study's rounding.",
        report_.beds.size(), study_seeds(lab_.options()), rows());
    if (report_.beds.empty()) return;
    for (std::size_t i = 0; i < level_count; ++i) add_level(i);
    add_certain();
    add_gain();
    add_strongest();
  }

 private:
  std::uint32_t rows() const { return study_rows(lab_.options()); }

  void run_lines(const Stage& stage, ValueOrder order, std::uint64_t seed) {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].order == order) {
        run_line(stage, lines_[i].label, lines_[i].demand, seed, runs_[i]);
      }
    }
    if (order != ValueOrder::Natural) return;
    for (std::size_t i = 0; i < strong_.size(); ++i) {
      run_line(stage, strong_[i].label, strong_[i].demand, seed, strong_runs_[i]);
    }
  }

  void run_line(const Stage& stage, const std::string& label, const Demand& demand,
                std::uint64_t seed, Runs& runs) {
    auto judgement = judged(stage, demand, seed);
    if (judgement) {
      runs.add(*judgement);
    } else {
      lab_.note(fmt::format("{}: {}.", label, judgement.error().message));
    }
  }

  void add_level(std::size_t level) {
    Column column(fmt::format("study-2-{}", levels[level]),
                  fmt::format("guess rate at level {}", levels[level]),
                  "The study gives the share of values guessed right, scheme by scheme.");
    if (level == 0) {
      column.add("no ranking, overall", .57, runs_[0].prior);
      column.add("no ranking, given public values", .61, runs_[0].prior_public);
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      column.add(lines_[i].label, lines_[i].published[level], runs_[i].rates[level]);
    }
    report_.figures.push_back(column.take());
  }

  void add_certain() {
    Column column("study-2-certain", "share of values that are certain",
                  "The study gives the share of values with a posterior above 0.999, at the level "
                  "that has most of them.");
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      column.add(lines_[i].label, lines_[i].certain, runs_[i].certain);
    }
    report_.figures.push_back(column.take());
  }

  void add_gain() {
    Column column("study-2-gain", "largest gain at level bayesian-joint",
                  "The study gives the largest (posterior - prior) / (1 - prior) over rows and "
                  "values.");
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      column.add(lines_[i].label, lines_[i].gain, runs_[i].gain);
    }
    report_.figures.push_back(column.take());
  }

  void add_strongest() {
    Column column("study-2-strongest", "strongest level at l = 3 and 4",
                  "The study gives the guess rate of the strongest level at l = 3 and 4.");
    for (std::size_t i = 0; i < strong_.size(); ++i) {
      column.add(strong_[i].label, strong_[i].published, strong_runs_[i].strongest);
    }
    report_.figures.push_back(column.take());
  }

  Lab& lab_;
  Report& report_;
  std::vector<Line> lines_;
  std::vector<StrongLine> strong_;
  std::vector<Runs> runs_, strong_runs_;
};

void draw(Lab& lab, Report& report) { Study(lab, report).run(); }

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(
      count, words, "Table 2 of the study of privacy and utility: who guesses what.",
      rankveil::figures::Asking::Rows, rankveil::figures::draw);
}
