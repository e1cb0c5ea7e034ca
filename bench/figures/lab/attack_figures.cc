#include "bench/figures/lab/attack_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rankveil/audit/levels.h"
#include "rankveil/base/stopwatch.h"

namespace rankveil::figures {
namespace {

constexpr std::uint32_t answer_rows = 100;
constexpr std::uint32_t workload_queries = 10;
constexpr std::uint32_t attributes_taken = 5;

Table attacked_table(const Bed& bed, std::uint32_t rows, std::uint64_t pick) {
  auto few = [](std::uint32_t count) { return std::min(attributes_taken, count); };
  return cut(bed, {.rows = std::min(rows, bed.table.rows()),
                   .publics = few(bed.table.schema().public_count()),
                   .privates = few(bed.table.schema().private_count()),
                   .pick = pick});
}

CampaignOptions campaign_options(const LabOptions& options) {
  CampaignOptions campaign{.k = answer_rows, .threads = options.threads};
  if (options.quick) campaign.victims = 50;
  return campaign;
}

std::string attribute_list(const Table& table) {
  std::string text;
  for (const Attribute& attribute : table.schema().attributes) {
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ",
                        attribute.is_private() ? "private" : "public", attribute.name,
                        attribute.domain.size());
  }
  return text;
}

// From the weakest to the strongest; those in between say nothing more.
const std::vector<std::string> levels_shown = {"prior-public",   "ignorant",
                                               "knowledgeable",  "mechanism-public",
                                               "joint-balanced", "bayesian-joint"};

Result<std::vector<audit::Finding>> judge_levels(const Stronghold& held, std::uint32_t threads) {
  audit::Observed observed{held.table, *held.profiles};
  if (held.contender.demand.scheme != unprotected) {
    observed.mechanism = audit::Mechanism{held.contender.demand, held.workload};
  }
  auto judged = audit::judge_profiles(observed, {.levels = levels_shown, .threads = threads});
  if (!judged) return judged.error();
  std::erase_if(judged->findings,
                [](const audit::Finding& finding) { return finding.attribute != "all"; });
  return std::move(judged->findings);
}

Result<Siege> lay_siege(Lab& lab, const Table& table, const Workload& workload,
                        const Contender& contender) {
  auto held = hold(table, workload, contender, 1, lab.options().threads);
  if (!held) return held.error();
  Stopwatch watch;
  auto tallies = attack_all(**held, campaign_options(lab.options()));
  if (!tallies) return tallies.error();
  Siege siege{contender, *std::move(tallies), watch.seconds()};
  auto levels = judge_levels(**held, lab.options().threads);
  if (!levels) return levels.error();
  siege.levels = *std::move(levels);
  return siege;
}

AttackedBed attack_contenders(Lab& lab, const AttackPlan& plan, const Bed& bed,
                              const Table& table) {
  Workload workload = draw_queries(bed, table, Asking::Marginals, 1);
  workload.entries.resize(workload_queries);
  AttackedBed attacked{bed.name, {}};
  for (const Contender& contender : plan.contenders) {
    Lab::say(fmt::format("{}: {}", bed.name, contender.label));
    auto siege = lay_siege(lab, table, workload, contender);
    if (siege) {
      attacked.sieges.push_back(*std::move(siege));
    } else {
      lab.note(fmt::format("{} on {}: {}.", contender.label, bed.name, siege.error().message));
    }
  }
  return attacked;
}

// What a figure shows of a tally.
struct Measure {
  double (*value)(const Tally& tally);
  utility::Interval (*interval)(const Tally& tally);  // null: none
};

utility::Interval proven_interval(const Tally& tally) {
  return utility::wilson_95(static_cast<double>(tally.proven), static_cast<double>(tally.attempts));
}

const Measure guesses = {[](const Tally& tally) { return tally.rate(); },
                         [](const Tally& tally) { return tally.interval(); }};
const Measure proofs = {[](const Tally& tally) { return tally.proven_share(); }, proven_interval};
const Measure costs = {[](const Tally& tally) { return tally.queries_a_victim(); }, nullptr};

void add_point(const Measure& measure, const Tally& tally, double x, Series& series) {
  series.xs.push_back(x);
  series.ys.push_back(measure.value(tally));
  if (measure.interval == nullptr) return;
  utility::Interval interval = measure.interval(tally);
  series.lows.push_back(interval.low);
  series.highs.push_back(interval.high);
}

Chart chart_of(const AttackedBed& bed, const AttackPlan& plan, const Measure& measure) {
  Chart chart{bed.name, {}};
  for (std::size_t m = 0; m < std::size(paper_methods); ++m) {
    Series series{paper_methods[m].label, {}, {}, {}};
    for (std::size_t i = 0; i < plan.contenders.size(); ++i) {
      const Siege* siege = bed.find(plan.contenders[i].label);
      if (siege != nullptr) {
        add_point(measure, siege->tallies[m], static_cast<double>(i + 1), series);
      }
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

const audit::Finding* level_of(const Siege& siege, const std::string& level) {
  for (const audit::Finding& finding : siege.levels) {
    if (finding.level == level) return &finding;
  }
  return nullptr;
}

Chart levels_chart(const AttackedBed& bed, const AttackPlan& plan) {
  Chart chart{bed.name, {}};
  for (const std::string& level : levels_shown) {
    Series series{level, {}, {}, {}};
    for (std::size_t i = 0; i < plan.contenders.size(); ++i) {
      const Siege* siege = bed.find(plan.contenders[i].label);
      const audit::Finding* finding = siege != nullptr ? level_of(*siege, level) : nullptr;
      if (finding == nullptr) continue;
      series.xs.push_back(static_cast<double>(i + 1));
      series.ys.push_back(finding->rate);
      series.lows.push_back(finding->low);
      series.highs.push_back(finding->high);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// A published scheme promises that at most 1/l of all guesses are right, one of ours that nobody
// gains more than 1/l.
void judge_levels_of(const AttackedBed& bed, const Siege& siege, Figure& figure) {
  const Scheme* scheme = find_scheme(siege.contender.demand.scheme);
  if (scheme == nullptr || siege.levels.empty()) return;
  std::uint32_t l = siege.contender.demand.l;
  bool by_gain = scheme->promise == PromiseKind::GainAtMost;
  auto value = [&](const audit::Finding& finding) { return by_gain ? finding.gain : finding.rate; };
  const audit::Finding& most =
      *std::max_element(siege.levels.begin(), siege.levels.end(),
                        [&](const auto& a, const auto& b) { return value(a) < value(b); });
  constexpr double tolerance = 1e-5;  // of swap's promise in small groups
  std::string claim =
      by_gain ? fmt::format("{}: no level gains more than 1/{}", siege.contender.label, l)
              : fmt::format("{}: no level guesses more than 1/{} right", siege.contender.label, l);
  figure.verdicts.push_back({claim, bed.name, fmt::format("{:.3f}, {}", value(most), most.level),
                             value(most) <= 1.0 / l + tolerance});
}

Figure figure_of(const AttackPlan& plan, const std::string& part, const std::string& title,
                 const std::string& value) {
  Figure figure{plan.id + part, title, "", value, value, Look::Rates};
  for (const Contender& contender : plan.contenders) figure.categories.push_back(contender.label);
  return figure;
}

std::uint64_t hidden_victims(const Siege& siege, std::uint64_t& victims) {
  std::uint64_t hidden = 0;
  for (const Tally& tally : siege.tallies) {
    hidden += tally.hidden;
    victims += tally.victims;
  }
  return hidden;
}

std::string hidden_note(const AttackedBed& bed) {
  const Siege* open = bed.find(unprotected);
  if (open == nullptr) return "";
  std::uint64_t victims = 0;
  std::uint64_t hidden = hidden_victims(*open, victims);
  return fmt::format(
      "On {}, {} of {} victims were never seen in an answer of the unprotected ranking.", bed.name,
      hidden, victims);
}

// How long attacks take depends on what else the machine does: said, not kept.
std::string time_text(const AttackedBed& bed) {
  std::string text = bed.name + ", attacks:";
  for (const Siege& siege : bed.sieges) {
    text += fmt::format(" {} {:.1f} s;", siege.contender.label, siege.seconds);
  }
  return text;
}

void check_proofs(const AttackedBed& bed, Lab& lab) {
  for (const Siege& siege : bed.sieges) {
    for (const Tally& tally : siege.tallies) {
      if (tally.wrong == 0) continue;
      lab.note(fmt::format("{} on {}: {} of {}'s proofs are wrong, which must never be.",
                           siege.contender.label, bed.name, tally.wrong, tally.method));
    }
  }
}

std::string range_text(const Siege& siege) {
  double least = 1, most = 0;
  for (const Tally& tally : siege.tallies) {
    least = std::min(least, tally.rate());
    most = std::max(most, tally.rate());
  }
  return fmt::format("{:.3f} to {:.3f}", least, most);
}

double mean_rate(const Siege& siege) {
  double sum = 0;
  for (const Tally& tally : siege.tallies) sum += tally.rate();
  return sum / static_cast<double>(siege.tallies.size());
}

// Of the mean rate. All methods attack the same rows, so together they say little more than one.
double margin_of(const Siege& siege) {
  utility::Interval first = siege.tallies[0].interval();
  return (first.high - first.low) / 2;
}

bool all_of(const Siege& siege, const auto& accepts) {
  return std::all_of(siege.tallies.begin(), siege.tallies.end(), accepts);
}

std::string setting_text(const CampaignOptions& options) {
  return fmt::format(
      "Attacks: up to 20,000 rows, 5 public and 5 private attributes, weights 1, l = 2 where "
      "nothing "
      "else is said, answers of {} rows, ties by row; a workload of {} queries whose values are "
      "those of random rows. Each method attacks {} rows of its own, all private attributes, with "
      "at "
      "most {} queries a row. A guess is any of the values that the answers leave (graded "
      "profiles: "
      "of those proven to match, by their strength); its expected success counts, also for rows "
      "that "
      "no answer ever showed. In brackets: 95% (Wilson), each attribute of each row an attempt.",
      options.k, workload_queries, options.victims, options.queries_a_victim);
}

}  // namespace

const Siege* AttackedBed::find(const std::string& label) const {
  for (const Siege& siege : sieges) {
    if (siege.contender.label == label) return &siege;
  }
  return nullptr;
}

Contender besieged(const std::string& scheme, std::uint32_t l) {
  Contender made = contender(scheme, l);
  made.demand.fallback = Fallback::Suppress;
  if (l != 2) made.label += fmt::format(", l = {}", l);
  return made;
}

Finding near_all(const Siege& siege, double value, double tolerance) {
  return {all_of(siege,
                 [&](const Tally& tally) { return std::abs(tally.rate() - value) <= tolerance; }),
          range_text(siege)};
}

Finding at_least_all(const Siege& siege, double value) {
  return {all_of(siege, [&](const Tally& tally) { return tally.rate() >= value; }),
          range_text(siege)};
}

Finding clearly_below(const Siege& low, const Siege& high) {
  bool holds = !low.tallies.empty();
  for (std::size_t i = 0; i < low.tallies.size(); ++i) {
    holds = holds && low.tallies[i].interval().high < high.tallies[i].interval().low;
  }
  return {holds, fmt::format("{} against {}", range_text(low), range_text(high))};
}

Finding slightly_below(const Siege& low, const Siege& high) {
  double difference = mean_rate(low) - mean_rate(high);
  bool chance = std::abs(difference) <= std::hypot(margin_of(low), margin_of(high));
  return {difference < 0 && difference >= -0.1,
          fmt::format("{:.3f} against {:.3f}{}", mean_rate(low), mean_rate(high),
                      chance ? ": cannot be told apart" : "")};
}

Finding below_on_average(const Siege& siege, double value) {
  return {mean_rate(siege) < value, fmt::format("{:.3f}", mean_rate(siege))};
}

void draw_attacks(Lab& lab, Report& report, const AttackPlan& plan) {
  Figure rates = figure_of(plan, "", plan.title + ": right guesses of attacks", "right guesses");
  rates.says = plan.says;
  Figure levels = figure_of(plan, "-levels",
                            plan.title + ", levels: right guesses of those who hold all profiles",
                            "right guesses");
  Figure proven = figure_of(plan, "-proven", plan.title + ", proofs: values that attacks prove",
                            "share proven");
  Figure asked =
      figure_of(plan, "-queries", plan.title + ", costs: what attacks ask", "queries a row");
  const std::vector<Bed>& beds = lab.attack_beds();
  for (std::size_t i = 0; i < beds.size(); ++i) {
    Table table = attacked_table(beds[i], 20'000, 1);
    report.beds[i] += "; attacked: " + attribute_list(table);
    AttackedBed bed = attack_contenders(lab, plan, beds[i], table);
    rates.charts.push_back(chart_of(bed, plan, guesses));
    proven.charts.push_back(chart_of(bed, plan, proofs));
    asked.charts.push_back(chart_of(bed, plan, costs));
    levels.charts.push_back(levels_chart(bed, plan));
    for (const Siege& siege : bed.sieges) judge_levels_of(bed, siege, levels);
    plan.judge(bed, rates);
    rates.notes.push_back(hidden_note(bed));
    Lab::say(time_text(bed));
    check_proofs(bed, lab);
  }
  report.setting = setting_text(campaign_options(lab.options()));
  levels.notes.emplace_back(
      "prior-public guesses from public values alone, ignorant takes the values of a set for "
      "alike, "
      "the others know more (docs/concepts/adversaries.md). They read profiles of all rows, which "
      "is "
      "the most that any attack on answers can find.");
  report.figures = {std::move(rates), std::move(levels), std::move(proven), std::move(asked)};
}

}  // namespace rankveil::figures
