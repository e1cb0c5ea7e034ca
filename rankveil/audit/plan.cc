#include "rankveil/audit/plan.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "rankveil/audit/campaign.h"
#include "rankveil/audit/people/coin_level.h"
#include "rankveil/audit/priors.h"
#include "rankveil/base/parallel.h"
#include "rankveil/base/stopwatch.h"

namespace rankveil::audit {

namespace {

constexpr std::uint64_t enough_victims = 200;
constexpr std::uint64_t fewest_victims = 20;
constexpr std::array<std::uint64_t, 4> query_budgets = {64, 512, 4096, UINT64_MAX};
constexpr double plainly_enough = 0.15;  // of the time there is
constexpr double for_probing = 1.0 / 6;

// What a victim costs when all threads are busy.
struct Cost {
  double seconds = 0;
  bool is_cut = false;  // some victim would have been asked about further
};

class Planner {
 public:
  Planner(const AuditTask& task, const PlanLimits& limits,
          std::vector<const attack::Method*> methods)
      : task_(task),
        limits_(limits),
        methods_(std::move(methods)),
        most_(std::min<std::uint64_t>(limits.victims, task.truth.rows())) {
    Priors priors(task.truth, task.ladder, task.min_group,
                  SparedValues(task.truth.schema(), task.subject.not_sensitive));
    options_.budget = task.budget;
    options_.priors = priors.overall();
    options_.stop = task.stop;
    std::uint64_t threads = task.threads == 0 ? available_threads() : task.threads;
    sample_ = draw_victims(task.truth.rows(), 2 * threads, task.seed ^ 0x9a7e);
  }

  Result<Plan> run() {
    Stopwatch watch;
    Plan plan;
    for (std::uint64_t budget : query_budgets) {
      auto cost = cost_under(budget);
      if (!cost) return cost.error();
      bool fits = seconds_for(*cost, std::min(enough_victims, most_)) <= limits_.seconds;
      if (plan.victims > 0 && !fits) break;
      plan = plan_for(*cost, budget);
      double next = 8 * cost->seconds * static_cast<double>(sample_.size());
      bool no_time = watch.seconds() + next > for_probing * limits_.seconds;
      if (!fits || !cost->is_cut || no_time || told_to(task_.stop)) break;
    }
    return plan;
  }

 private:
  // One victim by all methods.
  Result<Cost> cost_under(std::uint64_t budget) {
    options_.budget.queries = budget;
    Cost cost;
    Stopwatch watch;
    for (const attack::Method* method : methods_) {
      auto campaign = run_campaign(task_.arena, *method, sample_, options_);
      if (!campaign) return campaign.error();
      for (const Attacked& attacked : campaign->victims) {
        cost.is_cut = cost.is_cut || attacked.queries >= budget;
      }
    }
    cost.seconds = watch.seconds() / static_cast<double>(std::max<std::size_t>(sample_.size(), 1));
    return cost;
  }

  // The unprotected ranking is attacked, too, to compare with, and so are planted rows.
  double seconds_for(const Cost& cost, std::uint64_t victims) const {
    auto all = static_cast<double>(victims);
    if (!task_.arena.is_unprotected()) {
      all += static_cast<double>(std::min<std::uint64_t>(victims, task_.victims_before));
    }
    if (task_.arena.takes_inserts) {
      std::size_t methods = std::max<std::size_t>(methods_.size(), 1);
      all += static_cast<double>(task_.canaries) / static_cast<double>(methods);
    }
    return cost.seconds * all;
  }

  Plan plan_for(const Cost& cost, std::uint64_t budget) const {
    Plan plan;
    plan.victims = most_;
    while (plan.victims > fewest_victims && seconds_for(cost, plan.victims) > limits_.seconds) {
      plan.victims = two_digits_below(plan.victims);
    }
    if (cost.is_cut) plan.query_budget = budget;
    plan.seconds = seconds_for(cost, plan.victims);
    return plan;
  }

  // 1,000, 990, ..., 100, 99, ..., 20.
  static std::uint64_t two_digits_below(std::uint64_t count) {
    std::uint64_t unit = 1;
    while (count / unit > 100) unit *= 10;
    return (count - 1) / unit * unit;
  }

  const AuditTask& task_;
  const PlanLimits& limits_;
  std::vector<const attack::Method*> methods_;
  std::uint64_t most_;
  CampaignOptions options_;
  std::vector<std::uint32_t> sample_;
};

}  // namespace

// A victim and method: some of its values are asked for in a few patterns, each answered from all
// rows; patterns are chosen among those that leave out two public values.
double rough_seconds(const Schema& schema, std::uint64_t rows, std::uint64_t victims,
                     std::size_t methods) {
  double values = 0;
  for (std::uint32_t i = schema.public_count(); i < schema.size(); ++i) {
    values += schema.attributes[i].domain.size();
  }
  auto publics = static_cast<double>(std::min<std::uint32_t>(schema.public_count(), 64));
  double answer = 1e-5 + static_cast<double>(rows) * schema.size() / 4e9;
  double choosing = publics > 8 ? publics * publics / 2 * values * 4e-8 : 0;
  return static_cast<double>(victims) * static_cast<double>(methods) *
         (6 * values * answer + choosing);
}

std::optional<Effort> effort_of(const AuditTask& task) {
  bool coins = task.profiles != nullptr && task.mechanism &&
               exchange_of(task.mechanism->demand.scheme).has_value();
  constexpr std::array with_people = {
      "mechanism-public", "bayesian-joint", "population", "intersecting", "acquaintance",
      "acquaintance-3",   "share",          "sets",       "trained"};
  bool asked = task.levels.empty() || std::ranges::any_of(with_people, [&](const char* name) {
                 return std::ranges::find(task.levels, name) != task.levels.end();
               });
  if (!coins || !asked) return std::nullopt;
  return effort_for(task.truth);
}

Result<Plan> plan_attacks(const AuditTask& task, const PlanLimits& limits) {
  auto methods = choose_methods(task.arena, task.methods);
  if (!methods) return methods.error();
  Plan all{.victims = std::min<std::uint64_t>(limits.victims, task.truth.rows())};
  double rough =
      rough_seconds(task.truth.schema(), task.truth.rows(), all.victims, methods->size());
  bool has_private = task.truth.schema().private_count() > 0;
  if (!has_private || rough <= plainly_enough * limits.seconds) return all;
  return Planner(task, limits, *std::move(methods)).run();
}

}  // namespace rankveil::audit
