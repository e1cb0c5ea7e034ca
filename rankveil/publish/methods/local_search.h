// The walk that theta and theta-rapid share: they differ in which steps they offer.
#pragma once

#include <vector>

#include "rankveil/publish/methods/exchange.h"

namespace rankveil::publish {

// Where a walk stands.
struct Neighbourhood {
  const std::vector<Point>& chosen;
  std::vector<Leavers> leavers;
  std::vector<Point> unchosen;
};

// Offers all steps from there.
using OfferSteps = void (*)(const Round& round, const Neighbourhood& at, NearlyBest& steps);

// From where Greedy Deletion ended, so many random steps at most, until a box meets the demand.
Selected walk_from_greedy(const Round& round, std::uint32_t steps, OfferSteps offer);

}  // namespace rankveil::publish
