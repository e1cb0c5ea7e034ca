#include "rankveil/publish/methods/theta.h"

#include <vector>

#include "rankveil/publish/methods/exchange.h"
#include "rankveil/publish/methods/greedy_deletion.h"

namespace rankveil::publish {

namespace {

constexpr std::uint32_t rounds_in_thesis = 3;

// Where a walk stands.
struct Neighbourhood {
  const std::vector<Point>& chosen;
  std::vector<Leavers> leavers;
  std::vector<Point> unchosen;
};

void offer_exchanges(const Round& /*round*/, const Neighbourhood& at, NearlyBest& steps) {
  for (const Leavers& going : at.leavers) {
    for (Point comer : at.unchosen) steps.offer({&going, comer});
  }
}

void offer_single_steps(const Round& round, const Neighbourhood& at, NearlyBest& steps) {
  for (const Leavers& going : at.leavers) steps.offer({&going, std::nullopt});
  Edges here = round.field.edges_around(at.chosen);
  for (Point comer : at.unchosen) steps.offer({nullptr, comer, here});
}

// From where Greedy Deletion ended, so many random steps at most, until a box meets the demand.
template <typename OfferSteps>
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

std::uint32_t rounds_of(const Round& round, std::uint32_t usual) {
  return round.demand.rounds > 0 ? round.demand.rounds : usual;
}

}  // namespace

Selected theta(const Round& round) {
  return walk_from_greedy(round, rounds_of(round, rounds_in_thesis), offer_exchanges);
}

Selected theta_rapid(const Round& round) {
  return walk_from_greedy(round, rounds_of(round, 2 * rounds_in_thesis), offer_single_steps);
}

}  // namespace rankveil::publish
