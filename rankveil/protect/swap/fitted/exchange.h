// Rearranges what units hold by a law that fits them: the inner loop of fitted swap.
//
// Place i scores each token by the logarithm of how well it fits there. Two places are picked, half
// of the time inside a small group of places alike, and trade tokens with the chance
// min(1, e^(gain in scores)). Whatever the number of tries, that leaves the law
//   Pr(arrangement) ~ exp(sum of scores)
// unchanged; started at the true arrangement it says nothing about where that was (T9).
//
//   Places places{.width = 3, .slots = 1, .scores = ..., .groups = {{0, 2}, {2, 2}}, ...};
//   Tokens tokens = ...;
//   exchange(places, tries, words, tokens);
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rankveil/protect/swap/fitted/acceptance.h"

namespace rankveil::fitted {

struct PlaceGroup {
  std::uint32_t begin;
  std::uint32_t size;
};

struct Places {
  std::uint32_t width = 0;              // scores of a place
  std::uint32_t slots = 1;              // values of a token
  std::vector<std::int16_t> scores;     // [place][value of each slot]
  std::vector<PlaceGroup> groups;       // neighbours, in order
  std::vector<std::uint32_t> group_of;  // per place

  std::uint32_t size() const { return static_cast<std::uint32_t>(group_of.size()); }
};

// What places hold.
struct Tokens {
  std::vector<std::uint16_t> values;  // [place][slot]: where in the scores of a place
  std::vector<std::uint32_t> owner;   // per place: the place it was at first

  bool operator==(const Tokens&) const = default;
};

struct ExchangeCounts {
  std::uint64_t tried = 0;
  std::uint64_t accepted = 0;
};

// A try: the places, and the word that decides. `skips`: there is nobody to trade with.
struct Proposal {
  std::uint32_t i;
  std::uint32_t k;
  std::uint64_t word;
  bool skips;
};

// Scaled to [0, below).
inline std::uint32_t scaled(std::uint64_t word, std::uint32_t below) {
  return static_cast<std::uint32_t>((static_cast<unsigned __int128>(word) * below) >> 64);
}

// Four words each. Half of the partners come from the place's group, half from all.
inline Proposal propose(const Places& places, std::uint32_t i, std::uint64_t where,
                        std::uint64_t partner, std::uint64_t word) {
  bool nearby = where >= (std::uint64_t{1} << 63);
  PlaceGroup among = nearby ? places.groups[places.group_of[i]] : PlaceGroup{0, places.size()};
  if (among.size < 2) return {i, i, word, true};
  std::uint32_t k = among.begin + scaled(partner, among.size - 1);
  return {i, k >= i ? k + 1 : k, word, false};
}

// The gain in scores were the two to trade.
inline std::int32_t gain(const Places& places, const Tokens& tokens, std::uint32_t i,
                         std::uint32_t k) {
  const std::int16_t* of_i = places.scores.data() + std::size_t{i} * places.width;
  const std::int16_t* of_k = places.scores.data() + std::size_t{k} * places.width;
  const std::uint16_t* at_i = tokens.values.data() + std::size_t{i} * places.slots;
  const std::uint16_t* at_k = tokens.values.data() + std::size_t{k} * places.slots;
  std::int32_t sum = 0;
  for (std::uint32_t s = 0; s < places.slots; ++s) {
    sum += of_i[at_k[s]] + of_k[at_i[s]] - of_i[at_i[s]] - of_k[at_k[s]];
  }
  return sum;
}

inline void trade(const Places& places, std::uint32_t i, std::uint32_t k, Tokens& tokens) {
  std::uint16_t* at_i = tokens.values.data() + std::size_t{i} * places.slots;
  std::uint16_t* at_k = tokens.values.data() + std::size_t{k} * places.slots;
  for (std::uint32_t s = 0; s < places.slots; ++s) std::swap(at_i[s], at_k[s]);
  std::swap(tokens.owner[i], tokens.owner[k]);
}

// The definition, one try after the other: `words()` gives the next random word. REQUIRES: places.
template <typename Words>
ExchangeCounts plain_exchange(const Places& places, std::uint64_t tries, Words& words,
                              Tokens& tokens) {
  ExchangeCounts counts;
  for (std::uint64_t t = 0; t < tries; ++t) {
    std::uint32_t i = scaled(words(), places.size());
    std::uint64_t where = words();
    std::uint64_t partner = words();
    Proposal proposal = propose(places, i, where, partner, words());
    ++counts.tried;
    if (proposal.skips) continue;
    if (!accepts(gain(places, tokens, i, proposal.k), proposal.word)) continue;
    trade(places, i, proposal.k, tokens);
    ++counts.accepted;
  }
  return counts;
}

class WordSource;

// The same from a long stream, faster: it looks ahead at what it will touch.
ExchangeCounts exchange(const Places& places, std::uint64_t tries, WordSource& words,
                        Tokens& tokens);

}  // namespace rankveil::fitted
