#include "rankveil/publish/methods/theta_rapid.h"

#include "rankveil/publish/methods/local_search.h"

namespace rankveil::publish {

namespace {

constexpr std::uint32_t rapid_rounds_in_thesis = 6;

void offer_single_steps(const Round& round, const Neighbourhood& at, NearlyBest& steps) {
  for (const Leavers& going : at.leavers) steps.offer({&going, std::nullopt});
  Edges here = round.field.edges_around(at.chosen);
  for (Point comer : at.unchosen) steps.offer({nullptr, comer, here});
}

}  // namespace

Selected theta_rapid(const Round& round) {
  std::uint32_t rounds = round.demand.rounds > 0 ? round.demand.rounds : rapid_rounds_in_thesis;
  return walk_from_greedy(round, rounds, offer_single_steps);
}

}  // namespace rankveil::publish
