// How values that move are rearranged.
//
// Place i is a unit that moves, token k the values that it brought. score(i, k) is 1024 times the
// logarithm of how well k fits at i, rounded to a whole number. A try picks two places i and j that
// hold k and m, and trades with the chance min(1, e^(gain / 1024)),
//   gain = score(i, m) + score(j, k) - score(i, k) - score(j, m).
// Which places are picked does not depend on tokens, so a try and its way back are as likely, and
//   Pr(A) x chance(A -> B) = Pr(B) x chance(B -> A)   for   Pr(A) ~ exp(sum of scores / 1024):
// every try leaves the law Pr as it is. docs/concepts/swap.md (T9) has what follows: started at the
// true arrangement, any number of tries says nothing about who kept what.
//
// Example: eight places, 1 to 4 in Oslo and 5 to 8 in Rome, one column with the values p and q. p
// is twice as likely in Oslo, q in Rome: score 710 (1024 ln 2) against 0.
//   place    1 2 3 4 | 5 6 7 8
//   holds    p q p p | q p q q
// Places 2 and 6: the gain is 710 + 710 - 0 - 0 = 1420, so they trade. The way back loses 1420 and
// is taken with the chance e^(-1420 / 1024) = 1/4: the arrangement with p at 2 is four times as
// likely as the other. Places 1 and 2 trade with a gain of 0, always: anyone in Oslo may hold any
// of Oslo's tokens.
//
// Half of the partners come from the place's prediction group, where most gains are small; the
// other half from all, so that every arrangement can be reached.
//
// Scores are whole numbers and chances compare 64-bit words (acceptance.h): all machines make the
// same trades. The loops below do 64 tries at a time: words for all, then where they lead, fetched
// ahead, then the trades in order.
//
// Invariant: tokens.owner is a permutation, and tokens.values[i] are those that owner[i] brought.
#include "rankveil/protect/swap/fitted/exchange.h"

#include <algorithm>
#include <array>

#include "rankveil/protect/swap/fitted/word_source.h"

namespace rankveil::fitted {

namespace {

// Tries that are looked at together, so that what they touch is fetched meanwhile.
constexpr std::size_t tries_ahead = 64;

template <bool one_value>
class Exchanger {
 public:
  Exchanger(const Places& places, Tokens& tokens) : places_(places), tokens_(tokens) {}

  void run(std::size_t tries, WordSource& words) {
    words.take(std::span(words_).first(4 * tries));
    for (std::size_t t = 0; t < tries; ++t) {
      std::uint32_t i = scaled(words_[4 * t], places_.size());
      __builtin_prefetch(&places_.group_of[i]);
      fetch(i);
      proposals_[t].i = i;
    }
    for (std::size_t t = 0; t < tries; ++t) {
      proposals_[t] = propose(places_, proposals_[t].i, words_[4 * t + 1], words_[4 * t + 2],
                              words_[4 * t + 3]);
      fetch(proposals_[t].k);
    }
    for (std::size_t t = 0; t < tries; ++t) counts_.accepted += make(proposals_[t]) ? 1 : 0;
    counts_.tried += tries;
  }

  const ExchangeCounts& counts() const { return counts_; }

 private:
  void fetch(std::uint32_t place) const {
    const std::int16_t* scores = places_.scores.data() + std::size_t{place} * places_.width;
    __builtin_prefetch(scores);
    __builtin_prefetch(scores + places_.width - 1);
    __builtin_prefetch(tokens_.values.data() + std::size_t{place} * places_.slots);
  }

  bool make(const Proposal& proposal) {
    if (proposal.skips) return false;
    if (!accepts(gain_of(proposal.i, proposal.k), proposal.word)) return false;
    trade(places_, proposal.i, proposal.k, tokens_);
    return true;
  }

  std::int32_t gain_of(std::uint32_t i, std::uint32_t k) const {
    if constexpr (!one_value) return gain(places_, tokens_, i, k);
    const std::int16_t* of_i = places_.scores.data() + std::size_t{i} * places_.width;
    const std::int16_t* of_k = places_.scores.data() + std::size_t{k} * places_.width;
    std::uint16_t at_i = tokens_.values[i];
    std::uint16_t at_k = tokens_.values[k];
    return of_i[at_k] + of_k[at_i] - of_i[at_i] - of_k[at_k];
  }

  const Places& places_;
  Tokens& tokens_;
  std::array<std::uint64_t, 4 * tries_ahead> words_;
  std::array<Proposal, tries_ahead> proposals_;
  ExchangeCounts counts_;
};

template <bool one_value>
ExchangeCounts run_tries(const Places& places, std::uint64_t tries, WordSource& words,
                         Tokens& tokens) {
  Exchanger<one_value> exchanger(places, tokens);
  for (std::uint64_t left = tries; left > 0;) {
    std::size_t now = static_cast<std::size_t>(std::min<std::uint64_t>(left, tries_ahead));
    exchanger.run(now, words);
    left -= now;
  }
  return exchanger.counts();
}

}  // namespace

ExchangeCounts exchange(const Places& places, std::uint64_t tries, WordSource& words,
                        Tokens& tokens) {
  return places.slots == 1 ? run_tries<true>(places, tries, words, tokens)
                           : run_tries<false>(places, tries, words, tokens);
}

}  // namespace rankveil::fitted
