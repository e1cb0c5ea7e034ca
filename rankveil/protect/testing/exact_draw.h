// The law that exchanges leave unchanged, by going through all arrangements: for tests and proofs
// on a few places, and for drawing from it exactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "rankveil/protect/swap/fitted/exchange.h"

namespace rankveil::fitted {

// Which token each place holds, and how likely that is.
struct Arrangement {
  std::vector<std::uint32_t> token;  // per place: the place it was at first
  double chance = 0;
};

// All of them, in the order of std::next_permutation. REQUIRES: at most 9 places.
inline std::vector<Arrangement> exact_law(const Places& places, const Tokens& tokens) {
  std::vector<std::uint32_t> order(places.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<Arrangement> all;
  double sum = 0;
  do {
    double score = 0;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      for (std::uint32_t s = 0; s < places.slots; ++s) {
        std::uint16_t value = tokens.values[std::size_t{order[i]} * places.slots + s];
        score += places.scores[std::size_t{i} * places.width + value];
      }
    }
    all.push_back({order, std::exp(score / score_unit)});
    sum += all.back().chance;
  } while (std::next_permutation(order.begin(), order.end()));
  for (Arrangement& one : all) one.chance /= sum;
  return all;
}

// Pr(the place holds a token with this first value), for all values.
inline std::vector<double> exact_law_of_place(const Places& places, const Tokens& tokens,
                                              std::uint32_t place) {
  std::vector<double> chances(places.width, 0);
  for (const Arrangement& one : exact_law(places, tokens)) {
    chances[tokens.values[std::size_t{one.token[place]} * places.slots]] += one.chance;
  }
  return chances;
}

// `uniform`: a number in [0, 1).
inline std::vector<std::uint32_t> exact_draw(const Places& places, const Tokens& tokens,
                                             double uniform) {
  std::vector<Arrangement> all = exact_law(places, tokens);
  for (const Arrangement& one : all) {
    if (uniform < one.chance) return one.token;
    uniform -= one.chance;
  }
  return all.back().token;
}

}  // namespace rankveil::fitted
