// What signs of a coin are worth, learnt from coins that are known.
//
// Somebody who simulates releases of his own people sees which of them kept their values, and so
// how much a sign such as a likelihood ratio tells. Here each half of the rows teaches the beliefs
// about the other half, in place of a simulation.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankveil/audit/people/coin_figures.h"

namespace rankveil::audit {

// Signs of one pair; the first is the logarithm of a likelihood ratio.
using CoinSigns = std::vector<double>;

// Fills the beliefs of `coins`: odds are those of `keep` times exp(weights * signs), with weights
// that make what was seen in the other half of the rows most likely. Weights stay near 1 for the
// first sign and 0 for all others where little was seen. Rows are halved by `seed`.
// `mean`: how many of these coins were kept, where that is certain, as it is of coins that nobody
// was left out by. Beliefs are so much on average then, and a larger ratio never speaks against a
// coin. Without it, what is not known of other models becomes a belief in all coins.
void calibrate(std::span<const CoinSigns> signs, double keep, std::uint64_t seed,
               std::vector<CoinBelief>& coins, std::optional<double> mean = {});

}  // namespace rankveil::audit
