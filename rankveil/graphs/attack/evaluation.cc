#include "rankveil/graphs/attack/evaluation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "rankveil/base/parallel.h"
#include "rankveil/base/random.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/utility/estimate.h"

namespace rankveil::attack {

namespace {

std::vector<LinkagePoint> points_of(const EvaluationPlan& plan) {
  if (!plan.points.empty()) return plan.points;
  const std::vector<double> nothing = {0};
  std::vector<LinkagePoint> points;
  for (LinkageLevel level : plan.levels) {
    for (double lambda1 : uses_lambda1(level) ? plan.lambda1s : nothing) {
      for (double lambda2 : uses_lambda2(level) ? plan.lambda2s : nothing) {
        points.push_back({level, lambda1, lambda2});
      }
    }
  }
  return points;
}

Status check(const EvaluationPlan& plan) {
  bool has_releases = !plan.ready.empty() || (!plan.contestants.empty() && !plan.ks.empty());
  if (!has_releases || points_of(plan).empty()) {
    return wrong_use("an evaluation needs at least one technique, one k and one level");
  }
  if (plan.draws == 0) return wrong_use("0 draws measure nothing; take 1 or more");
  for (double share : plan.lambda1s) {
    if (auto fine = check_share("lambda1", share); !fine) return fine;
  }
  for (double share : plan.lambda2s) {
    if (auto fine = check_share("lambda2", share); !fine) return fine;
  }
  for (const LinkagePoint& point : plan.points) {
    if (auto fine = check_share("lambda1", point.lambda1); !fine) return fine;
    if (auto fine = check_share("lambda2", point.lambda2); !fine) return fine;
  }
  return {};
}

// The same numbers for every point of a draw: a larger share contains the smaller one.
std::uint64_t draw_seed(std::uint64_t seed, std::uint32_t draw) {
  Rng rng(seed + 0x100000001b3U * (draw + 1ULL));
  return rng();
}

std::vector<LinkageShares> attack_point(const Linkage& linkage, graph::Node nodes,
                                        const LinkagePoint& point, const EvaluationPlan& plan) {
  std::uint32_t draws = point.is_drawn() ? plan.draws : 1;
  std::vector<LinkageShares> shares(draws);
  parallel_for(draws, plan.threads, [&](std::size_t draw) {
    auto seed = draw_seed(plan.seed, static_cast<std::uint32_t>(draw));
    shares[draw] =
        linkage.identified(point.level, draw_background(nodes, point.lambda1, point.lambda2, seed));
  });
  return shares;
}

void set_interval(EvaluationRow& row, const std::vector<double>& values, graph::Node nodes) {
  auto estimate = utility::estimate(values, std::vector<std::uint64_t>(values.size(), 1));
  row.fu = estimate.mean;
  if (estimate.margin) {
    row.low = std::max(0.0, row.fu - *estimate.margin);
    row.high = std::min(1.0, row.fu + *estimate.margin);
    return;
  }
  auto interval = utility::wilson_95(row.fu * nodes, nodes);
  row.low = interval.low;
  row.high = interval.high;
}

void add_rows(const std::vector<LinkageShares>& shares, EvaluationRow row, bool any_label,
              graph::Node nodes, std::vector<EvaluationRow>& rows) {
  auto add = [&](const char* attack, double LinkageShares::*part) {
    std::vector<double> values;
    values.reserve(shares.size());
    for (const LinkageShares& share : shares) values.push_back(share.*part);
    row.attack = attack;
    set_interval(row, values, nodes);
    rows.push_back(row);
  };
  add("mle", &LinkageShares::mle);
  if (any_label) add("mle-any-label", &LinkageShares::mle_any_label);
  add("bas", &LinkageShares::bas);
}

// How far a whole evaluation is, in steps of one point.
struct Teller {
  const Progress& progress;
  std::size_t all = 0;
  std::size_t done = 0;

  void operator()(const std::string& what) {
    report(progress, what, all == 0 ? 1 : static_cast<double>(done) / static_cast<double>(all));
  }
};

Status attack_release(const graph::Graph& graph, const EvaluationPlan& plan,
                      const std::string& name, const graph::Release& release, double seconds,
                      Teller& tell, Evaluation& evaluation) {
  if (auto fine = check_linkable(release); !fine) return fine;
  Stopwatch watch;
  Linkage linkage(graph, release);
  for (const LinkagePoint& point : points_of(plan)) {
    tell(fmt::format("{}, k {}: level {}", name, release.k, name_of(point.level)));
    EvaluationRow row{.technique = name,
                      .attack = {},
                      .level = point.level,
                      .k = release.k,
                      .lambda1 = point.lambda1,
                      .lambda2 = point.lambda2};
    add_rows(attack_point(linkage, graph.nodes(), point, plan), row, plan.any_label, graph.nodes(),
             evaluation.rows);
    ++tell.done;
  }
  evaluation.releases.push_back({.technique = name,
                                 .k = release.k,
                                 .sets = release.sets.size(),
                                 .smallest_set = release.sets.smallest(),
                                 .largest_set = release.sets.largest(),
                                 .changes = release.changes,
                                 .seconds = seconds,
                                 .attack_seconds = watch.seconds(),
                                 .notes = release.notes});
  return {};
}

Status evaluate_one(const std::shared_ptr<const graph::Graph>& graph, const EvaluationPlan& plan,
                    const Contestant& contestant, std::uint32_t k, Teller& tell,
                    Evaluation& evaluation) {
  tell(fmt::format("{}, k {}: anonymizing", contestant.name, k));
  Stopwatch watch;
  auto options = contestant.options;
  options.k = k;
  auto release = graph::anonymize(graph, options);
  if (!release) return release.error();
  return attack_release(*graph, plan, contestant.name, *release, watch.seconds(), tell, evaluation);
}

}  // namespace

Result<Evaluation> evaluate(const std::shared_ptr<const graph::Graph>& graph,
                            const EvaluationPlan& plan) {
  if (auto fine = check(plan); !fine) return fine.error();
  for (std::uint32_t k : plan.contestants.empty() ? std::vector<std::uint32_t>{} : plan.ks) {
    if (auto fine = graph::check_k(k, graph->nodes()); !fine) return fine.error();
  }
  if (auto fine = check_linkable(*graph); !fine) return fine.error();
  Evaluation evaluation;
  std::size_t releases = plan.contestants.size() * plan.ks.size() + plan.ready.size();
  Teller tell{plan.progress, releases * points_of(plan).size()};
  for (const Contestant& contestant : plan.contestants) {
    for (std::uint32_t k : plan.ks) {
      auto done = evaluate_one(graph, plan, contestant, k, tell, evaluation);
      if (!done) return done.error();
    }
  }
  for (const ReadyRelease& ready : plan.ready) {
    auto done = attack_release(*graph, plan, ready.name, ready.release, 0, tell, evaluation);
    if (!done) return done.error();
  }
  report(plan.progress, "evaluating", 1);
  return evaluation;
}

}  // namespace rankveil::attack
