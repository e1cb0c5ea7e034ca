// Table 4 of the study of privacy and utility, measured anew: what each scheme costs on four real
// tables, beside the study's own figures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "bench/figures/lab/lab.h"
#include "bench/figures/lab/study_draws.h"
#include "rankveil/ranking/sample_workload.h"
#include "rankveil/table/row_groups.h"
#include "rankveil/utility/measure.h"

namespace rankveil::figures {
namespace {

constexpr std::size_t measure_count = 14;
constexpr std::array<const char*, measure_count> measure_names = {"overlap@10",
                                                                  "overlap@100",
                                                                  "fair@10",
                                                                  "fair@100",
                                                                  "NDCG@10",
                                                                  "NDCG@100",
                                                                  "U_aul at 10",
                                                                  "U_aul at 100",
                                                                  "competition U_aul at 10",
                                                                  "competition U_aul at 100",
                                                                  "score loss per row",
                                                                  "fair@10, workload",
                                                                  "fair@10, uniform",
                                                                  "fair@10, sparse"};

using Values = std::array<double, measure_count>;

// A line of the study's table.
struct Line {
  std::string label;
  Contender contender;
  Values published;
  ValueOrder order = ValueOrder::Natural;
};

Contender with_gamma(Contender contender, double gamma) {
  contender.demand.gamma = gamma;
  return contender;
}

Contender with_pairing(Contender contender, Pairing pairing) {
  contender.demand.pairing = pairing;
  return contender;
}

std::vector<Line> study_lines() {
  constexpr double endless = std::numeric_limits<double>::infinity();
  return {
      {"drop",
       contender("drop"),
       {.14, .30, .16, .44, .68, .78, .52, .44, .84, .63, 2.26, .18, .21, .20}},
      {"generalise",
       contender("generalise"),
       {.42, .47, .57, .64, .88, .88, .39, .35, .47, .41, 0.85, .55, .45, .50}},
      // The study does not say in which order it put values into blocks; the two differ much.
      {"generalise, by frequency",
       contender("generalise"),
       {.42, .47, .57, .64, .88, .88, .39, .35, .47, .41, 0.85, .55, .45, .50},
       ValueOrder::MostFrequentFirst},
      {"rr",
       contender("rr"),
       {.15, .27, .39, .50, .81, .82, .51, .44, .63, .53, 1.10, .40, .27, .51}},
      {"rr-mean",
       contender("rr-mean"),
       {.17, .32, .53, .64, .85, .87, .51, .43, .64, .54, 0.63, .55, .45, .56}},
      {"random",
       contender("random"),
       {.47, .53, .65, .71, .91, .91, .36, .33, .42, .36, 0.42, .63, .34, .59}},
      {"pvsv",
       contender("pvsv"),
       {.87, .91, .96, .98, .99, .99, .09, .07, .11, .07, 0.24, 1.00, .85, .93}},
      {"capped, gamma 1",
       with_gamma(contender("capped"), 1),
       {.28, .36, .42, .56, .82, .85, .45, .41, .58, .52, 0.65, .44, .49, .44}},
      {"pvst",
       contender("pvst"),
       {.50, .51, .62, .67, .89, .89, .32, .33, .42, .40, 0.62, .68, .46, .60}},
      {"esvt",
       contender("esvt"),
       {.42, .46, .58, .66, .89, .90, .38, .36, .48, .44, 0.84, .59, .58, .56}},
      {"estt, sorted weight",
       with_pairing(contender("estt"), Pairing::SortedWeight),
       {.27, .37, .42, .56, .80, .84, .47, .41, .57, .48, 0.90, .43, .43, .46}},
      {"cluster, gamma 2",
       with_gamma(contender("cluster"), 2),
       {.13, .28, .31, .52, .75, .82, .52, .45, .69, .55, 0.68, .31, .35, .38}},
      {"cluster, gamma inf",
       with_gamma(contender("cluster"), endless),
       {.33, .43, .56, .69, .86, .90, .45, .38, .55, .45, 0.51, .55, .58, .58}},
      {"swap",
       contender("swap"),
       {.45, .45, .59, .68, .84, .87, .37, .36, .48, .46, 0.55, .60, .59, .62}},
      {"swap, l = 3",
       contender("swap", 3),
       {.33, .36, .44, .58, .79, .84, .44, .40, .55, .49, 0.63, .45, .43, .51}},
      {"swap, l = 4",
       contender("swap", 4),
       {.27, .33, .37, .53, .77, .82, .46, .41, .60, .52, 0.66, .37, .35, .43}},
  };
}

// A sample of a table, with the queries it is asked.
struct Stage {
  Table table;
  Index truth;
  Workload workload, same, uniform, sparse;
};

Stage make_stage(const Table& all, std::uint32_t rows, std::uint64_t seed) {
  Table table = sample(all, rows, seed);
  auto queries = [&](TestQueries kind, std::uint32_t count, std::uint64_t salt) {
    return test_workload(table, kind, {.queries = count, .seed = 1000 * salt + seed});
  };
  Stage stage{table,
              utility::true_ranking(table),
              queries(TestQueries::Same, 10, 1),
              queries(TestQueries::Same, 50, 2),
              queries(TestQueries::Uniform, 50, 2),
              queries(TestQueries::Sparse, 50, 2)};
  return stage;
}

Result<utility::Utility> measured(const Stage& stage, const Index& served, const Workload& queries,
                                  RankKind ranks = RankKind::Ordinal) {
  return utility::measure(stage.truth, served, queries, {.ks = {10, 100}, .ranks = ranks});
}

Result<Values> run_line(const Stage& stage, const Line& line, std::uint64_t seed) {
  auto served = serve(stage.table, stage.workload, line.contender, seed, 0);
  if (!served) return served.error();
  auto same = measured(stage, *served, stage.same);
  auto competition = measured(stage, *served, stage.same, RankKind::Competition);
  auto tuned = measured(stage, *served, stage.workload);
  auto uniform = measured(stage, *served, stage.uniform);
  auto sparse = measured(stage, *served, stage.sparse);
  if (!same) return same.error();
  if (!competition || !tuned || !uniform || !sparse) return bad_input("measuring failed");
  const utility::UtilityAt& at10 = same->at[0];
  const utility::UtilityAt& at100 = same->at[1];
  return Values{at10.overlap.mean,
                at100.overlap.mean,
                at10.fair.mean,
                at100.fair.mean,
                at10.ndcg.mean,
                at100.ndcg.mean,
                at10.aul.mean,
                at100.aul.mean,
                competition->at[0].aul.mean,
                competition->at[1].aul.mean,
                same->score_loss.mean / stage.table.rows(),
                tuned->at[0].fair.mean,
                uniform->at[0].fair.mean,
                sparse->at[0].fair.mean};
}

// The size of the group that the middle one of all rows is in.
std::uint32_t median_row(std::vector<std::uint32_t> sizes) {
  std::sort(sizes.begin(), sizes.end());
  std::uint32_t all = std::accumulate(sizes.begin(), sizes.end(), 0U), rows = 0;
  for (std::uint32_t size : sizes) {
    rows += size;
    if (2 * rows >= all) return size;
  }
  return 0;
}

std::string describe(const StudyTable& table, const Table& drawn) {
  std::vector<std::uint32_t> sizes = group_sizes(drawn, public_attributes(drawn.schema()));
  std::string privates;
  for (const Attribute& attribute : drawn.schema().attributes) {
    if (!attribute.is_private()) continue;
    privates += fmt::format("{}{} ({})", privates.empty() ? "" : ", ", attribute.name,
                            attribute.domain.size());
  }
  return fmt::format(
      "{}: public {}, in {} groups, half of the rows in groups of {} or more; private (values) {}",
      table.name, fmt::join(table.publics, ", "), sizes.size(), median_row(sizes), privates);
}

// All values of a line, one per run.
struct Runs {
  std::array<std::vector<double>, measure_count> by_measure;

  void add(const Values& values) {
    for (std::size_t i = 0; i < values.size(); ++i) by_measure[i].push_back(values[i]);
  }
  utility::Estimate of(std::size_t measure) const {
    const std::vector<double>& values = by_measure[measure];
    return utility::estimate(values, std::vector<std::uint64_t>(values.size(), 1));
  }
};

class Study {
 public:
  Study(Lab& lab, Report& report) : lab_(lab), report_(report) {
    for (Line& line : study_lines()) {
      if (is_known(line.contender)) {
        lines_.push_back(std::move(line));
      } else {
        lab.note(fmt::format("{} was left out: this build has no scheme of that name.",
                             line.contender.demand.scheme));
      }
    }
    runs_.resize(lines_.size());
  }

  void run() {
    for_each_draw(lab_, [&](const StudyDraw& draw) { run_draw(draw); });
    report_.setting = fmt::format(
        "{} tables x {} seeds, {} rows each, weights 1; the workload is 10 rows' values, tests are "
        "50 queries. ± is 95% over tables and seeds. A figure of the study is reproduced when ours "
        "is no further away than this spread and the study's rounding.",
        report_.beds.size(), study_seeds(lab_.options()), rows());
    for (std::size_t i = 0; i < measure_count && !report_.beds.empty(); ++i) add_figure(i);
  }

 private:
  std::uint32_t rows() const { return study_rows(lab_.options()); }

  void run_draw(const StudyDraw& draw) {
    Stage stage = make_stage(draw.rows, rows(), draw.seed);
    if (draw.is_first()) report_.beds.push_back(describe(draw.table, stage.table));
    run_stage(stage, draw.order, draw.table.name, draw.seed);
  }

  void run_stage(const Stage& stage, ValueOrder order, const std::string& table,
                 std::uint32_t seed) {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].order != order) continue;
      auto values = run_line(stage, lines_[i], seed);
      if (values) {
        runs_[i].add(*values);
      } else {
        lab_.note(fmt::format("{} on {}: {}.", lines_[i].label, table, values.error().message));
      }
    }
  }

  void add_figure(std::size_t measure) {
    std::string name = measure_names[measure];
    Figure figure{fmt::format("study-{}", measure + 1),
                  "The study's table 4: " + name,
                  "",
                  name,
                  name,
                  Look::Dots};
    Series published{"the study", {}, {}, {}}, ours{"ours", {}, {}, {}};
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (runs_[i].by_measure[measure].empty()) continue;
      figure.categories.push_back(lines_[i].label);
      auto x = static_cast<double>(figure.categories.size());
      utility::Estimate mean = runs_[i].of(measure);
      published.xs.push_back(x);
      published.ys.push_back(lines_[i].published[measure]);
      ours.xs.push_back(x);
      ours.ys.push_back(mean.mean);
      ours.margins.push_back(mean.margin.value_or(0));
      judge(figure, lines_[i], measure, mean);
    }
    figure.says =
        fmt::format("The study gives {} of every scheme at l = 2 (swap also at 3 and 4).", name);
    figure.charts = {{"all tables", {std::move(published), std::move(ours)}}};
    report_.figures.push_back(std::move(figure));
  }

  static void judge(Figure& figure, const Line& line, std::size_t measure,
                    const utility::Estimate& ours) {
    double difference = ours.mean - line.published[measure];
    bool holds = std::fabs(difference) <= ours.margin.value_or(0) + 0.005;
    figure.verdicts.push_back({fmt::format("{}: {:.2f}", line.label, line.published[measure]),
                               "all tables",
                               fmt::format("{:.3f} ±{:.3f}, difference {:+.3f}", ours.mean,
                                           ours.margin.value_or(0), difference),
                               holds});
  }

  Lab& lab_;
  Report& report_;
  std::vector<Line> lines_;
  std::vector<Runs> runs_;
};

void draw(Lab& lab, Report& report) { Study(lab, report).run(); }

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(
      count, words, "Table 4 of the study of privacy and utility: what every scheme costs.",
      rankveil::figures::Asking::Rows, rankveil::figures::draw);
}
