// The attacks against the reference figures of their specification: how much of an unprotected
// table they infer by k, and how many queries a value costs.
#include <fmt/format.h>

#include "bench/figures/lab/campaign.h"
#include "bench/figures/lab/lab.h"
#include "rankveil/base/random.h"
#include "rankveil/ranking/sample_workload.h"

namespace rankveil::figures {
namespace {

constexpr double ks[] = {10, 50, 100};

// What a prototype without an inference engine reached.
struct Reference {
  const char* bed;
  double exponent;
  double inferred[3];  // by k
  double queries[3];   // a victim, all five attributes
};
constexpr Reference references[] = {{"uniform", 0, {1, 1, 1}, {31, 16, 16}},
                                    {"zipf", 1, {0.715, 0.957, 0.992}, {242, 62, 32}}};

Series reference_series(const double (&values)[3]) {
  return {"reference", {std::begin(ks), std::end(ks)}, {std::begin(values), std::end(values)}, {}};
}

struct ByK {
  Figure inferred{
      "attack-k",    "By k: values inferred from unprotected rankings", "", "k", "share proven",
      Look::LogLines};
  Figure queries{"attack-k-queries",
                 "By k, costs: queries for all five values of a row",
                 "",
                 "k",
                 "queries a row",
                 Look::LogLines};
};

void add_tally(const Tally& tally, double k, Series& proven, Series& queries) {
  auto interval =
      utility::wilson_95(static_cast<double>(tally.proven), static_cast<double>(tally.attempts));
  proven.xs.push_back(k);
  proven.ys.push_back(tally.proven_share());
  proven.lows.push_back(interval.low);
  proven.highs.push_back(interval.high);
  queries.xs.push_back(k);
  queries.ys.push_back(tally.queries_a_victim());
}

void judge_method(const Reference& reference, const Series& proven, ByK& figures) {
  for (std::size_t i = 0; i < std::size(ks); ++i) {
    figures.inferred.verdicts.push_back(
        {fmt::format("{}, k = {}: at least as much as the reference", proven.name, ks[i]),
         reference.bed,
         fmt::format("{:.1f}%, reference {:.1f}%", 100 * proven.ys[i], 100 * reference.inferred[i]),
         proven.ys[i] >= reference.inferred[i]});
  }
}

void draw_bed(Lab& lab, const Bed& bed, const Reference& reference, ByK& figures) {
  Workload none;
  auto held = hold(bed.table, none, contender(unprotected), 1, lab.options().threads);
  Chart proven{bed.name, {reference_series(reference.inferred)}};
  Chart queries{bed.name, {reference_series(reference.queries)}};
  for (const PaperMethod& method : paper_methods) {
    Series share{method.label, {}, {}, {}}, asked{method.label, {}, {}, {}};
    for (double k : ks) {
      Lab::say(fmt::format("{}: {} at {}", bed.name, method.label, k));
      auto tally = attack_with(**held, method,
                               {.k = static_cast<std::uint32_t>(k),
                                .victims = lab.options().quick ? 50U : 200U,
                                .threads = lab.options().threads});
      if (!tally) return lab.note(tally.error().message + ".");
      add_tally(*tally, k, share, asked);
    }
    judge_method(reference, share, figures);
    proven.series.push_back(std::move(share));
    queries.series.push_back(std::move(asked));
  }
  figures.inferred.charts.push_back(std::move(proven));
  figures.queries.charts.push_back(std::move(queries));
}

// ---- What one value costs ----

// 400 rows, 5 public attributes of 4 values and weights 1 to 5, one private of 10 and weight 3.
Table small_table(std::uint64_t seed) {
  Rng rng(seed);
  Schema schema;
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < 6; ++i) {
    std::uint32_t domain = i < 5 ? 4 : 10;
    std::vector<std::string> texts;
    for (std::uint32_t v = 0; v < domain; ++v) texts.push_back(fmt::format("v{}", v));
    schema.attributes.push_back({.name = fmt::format("c{}", i),
                                 .visibility = i < 5 ? Visibility::Public : Visibility::Private,
                                 .weight = i < 5 ? i + 1.0 : 3.0,
                                 .domain = *Domain::of(std::move(texts))});
    std::vector<ValueId> values(400);
    for (ValueId& value : values) value = ValueId{static_cast<std::uint16_t>(rng.below(domain))};
    columns.emplace_back(domain, values);
  }
  return Table(std::move(schema), std::move(columns), RowNames(RowNumbers{400}));
}

struct Cost {
  const char* scheme;
  double queries[4];  // per paper method; 0: the reference has none
};
// Sets of three: the reference reads the fourth method as A7, which finds whole profiles.
constexpr Cost costs[] = {{unprotected, {6.1, 7.3, 6.1, 4.2}}, {"random", {11.0, 0, 11.0, 15.3}}};

constexpr std::uint32_t cost_tables = 25;

Result<utility::Estimate> cost_of(const Lab& lab, const Contender& contender,
                                  const PaperMethod& method) {
  std::vector<double> means;
  for (std::uint32_t seed = 1; seed <= cost_tables; ++seed) {
    Table table = small_table(seed);
    Workload none;
    auto held = hold(table, none, contender, seed, 1);
    if (!held) return held.error();
    auto tally =
        attack_with(**held, method, {.k = 10, .victims = 40, .threads = lab.options().threads});
    if (!tally) return tally.error();
    means.push_back(tally->queries_a_victim());
  }
  return utility::estimate(means, std::vector<std::uint64_t>(means.size(), 1));
}

Figure cost_figure(Lab& lab) {
  Figure figure{"attack-costs",
                "Costs: queries for one value, or one set of three",
                "",
                "queries a row",
                "queries a row",
                Look::Rates};
  Series published{"reference", {}, {}, {}}, ours{"ours", {}, {}, {}};
  for (const Cost& cost : costs) {
    Contender protection = contender(cost.scheme, 3);
    for (std::size_t m = 0; m < std::size(paper_methods); ++m) {
      auto mean = cost_of(lab, protection, paper_methods[m]);
      if (!mean) {
        lab.note(mean.error().message + ".");
        continue;
      }
      figure.categories.push_back(fmt::format("{}, {}", cost.scheme, paper_methods[m].label));
      auto x = static_cast<double>(figure.categories.size());
      ours.xs.push_back(x);
      ours.ys.push_back(mean->mean);
      ours.margins.push_back(mean->margin.value_or(0));
      if (cost.queries[m] == 0) continue;
      published.xs.push_back(x);
      published.ys.push_back(cost.queries[m]);
      figure.verdicts.push_back({fmt::format("{}: at most {} queries, within 1",
                                             figure.categories.back(), cost.queries[m]),
                                 "400 rows",
                                 fmt::format("{:.2f} ±{:.2f}", mean->mean, ours.margins.back()),
                                 mean->mean <= cost.queries[m] + 1});
    }
  }
  figure.charts = {{"400 rows", {std::move(published), std::move(ours)}}};
  figure.notes.push_back(fmt::format(
      "Means over {} tables of 40 attacked rows each. random gives each row three values.",
      cost_tables));
  return figure;
}

void draw(Lab& lab, Report& report) {
  ByK figures;
  for (const Reference& reference : references) {
    Bed bed = attack_bed(reference.bed, 20'000, reference.exponent, 1);
    report.beds.push_back(bed.name + ": " + bed.origin);
    draw_bed(lab, bed, reference, figures);
  }
  report.setting =
      "Unprotected rankings; 20,000 rows, 5 public and 5 private attributes, weights 1, ties by "
      "row, "
      "at most 600 queries a row, 200 rows a method. The reference is a prototype of the attacks "
      "without an inference engine. The costs: 400 rows, one private attribute of 10 values and "
      "weight 3, public weights 1 to 5, k = 10.";
  report.figures = {std::move(figures.inferred), std::move(figures.queries), cost_figure(lab)};
}

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(
      count, words, "The attacks against the reference figures of their specification.",
      rankveil::figures::Asking::Rows, rankveil::figures::draw);
}
