#include "rankveil/publish/methods/grasp.h"

#include "rankveil/publish/methods/exchange.h"
#include "rankveil/publish/methods/insertion.h"

namespace rankveil::publish {

namespace {

struct Solution {
  std::vector<Point> chosen;
  Edges edges;
  Counts counts;
};

// Nothing when all true positives together have fewer than k members.
std::optional<Solution> construct(const Round& round) {
  Growth growth(round);
  while (growth.counts().members < round.demand.k) {
    auto best = growth.best(round.demand.alpha);
    if (best.empty()) return std::nullopt;
    growth.insert(best[round.rng.below(best.size())]);
  }
  return Solution{growth.chosen(), *growth.edges(), growth.counts()};
}

// The most precise exchange that keeps k members; nothing when none gains.
std::optional<Solution> best_exchange(const Round& round, const Solution& here) {
  std::optional<Solution> best;
  double least = here.counts.precision();
  auto going = leavers(round.field, here.chosen);
  for (const Leavers& leaver : going) {
    for (Point comer : unchosen(round.field, here.chosen)) {
      Step step{&leaver, comer};
      if (!count_step(round, least, step) || step.counts.members < round.demand.k) continue;
      if (step.counts.precision() <= least) continue;
      least = step.counts.precision();
      best = Solution{after(here.chosen, step, 0), step.edges, step.counts};
    }
  }
  return best;
}

std::optional<Solution> start(const Round& round) {
  auto solution = construct(round);
  while (solution && !round.accepts(solution->counts)) {
    auto better = best_exchange(round, *solution);
    if (!better) return std::nullopt;
    solution = std::move(better);
  }
  return solution;
}

}  // namespace

Selected grasp(const Round& round) {
  for (std::uint32_t i = 0; i < round.demand.starts; ++i) {
    if (auto solution = start(round)) return {{{solution->edges}}};
  }
  return {};
}

}  // namespace rankveil::publish
