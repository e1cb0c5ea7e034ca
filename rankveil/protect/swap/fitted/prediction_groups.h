// Small groups of places that score alike: where half of the exchanges happen. They steer which
// exchanges are tried and nothing else; the law of the outcome does not depend on them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/protect/swap/fitted/exchange.h"

namespace rankveil::fitted {

// Places are split at the median of the score that differs most, while both halves keep so many.
inline constexpr std::uint32_t min_prediction_group = 21;

struct PredictionGroups {
  std::vector<std::uint32_t> order;  // places, group by group
  std::vector<PlaceGroup> groups;    // in that order
};

// `scores`: [place][width]. `ties`: one number a place, which decides where scores are equal, and
// the order inside groups.
PredictionGroups prediction_groups(std::span<const std::int16_t> scores, std::uint32_t width,
                                   std::span<const std::uint64_t> ties, std::uint32_t threads);

}  // namespace rankveil::fitted
