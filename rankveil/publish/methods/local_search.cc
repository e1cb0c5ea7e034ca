#include "rankveil/publish/methods/local_search.h"

#include "rankveil/publish/methods/greedy_deletion.h"

namespace rankveil::publish {

Selected walk_from_greedy(const Round& round, std::uint32_t steps, OfferSteps offer) {
  Shrunk start = shrink_greedily(round);
  if (round.accepts(start.counts)) return {{{round.field.edges_around(start.chosen)}}};
  std::vector<Point> chosen = std::move(start.chosen);
  for (std::uint32_t i = 0; i < steps; ++i) {
    Neighbourhood at{chosen, leavers(round.field, chosen), unchosen(round.field, chosen)};
    NearlyBest nearly_best(round, round.demand.theta);
    offer(round, at, nearly_best);
    auto drawn = nearly_best.draw(chosen);
    if (!drawn) break;
    if (round.accepts(drawn->first.counts)) return {{{drawn->first.edges}}};
    chosen = std::move(drawn->second);
  }
  return {};
}

}  // namespace rankveil::publish
