#include "rankveil/publish/methods/theta.h"

#include "rankveil/publish/methods/local_search.h"

namespace rankveil::publish {

namespace {

constexpr std::uint32_t rounds_in_thesis = 3;

void offer_exchanges(const Round& /*round*/, const Neighbourhood& at, NearlyBest& steps) {
  for (const Leavers& going : at.leavers) {
    for (Point comer : at.unchosen) steps.offer({&going, comer});
  }
}

}  // namespace

Selected theta(const Round& round) {
  std::uint32_t rounds = round.demand.rounds > 0 ? round.demand.rounds : rounds_in_thesis;
  return walk_from_greedy(round, rounds, offer_exchanges);
}

}  // namespace rankveil::publish
