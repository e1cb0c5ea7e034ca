// What a release tells about its coins: for every row and block of columns, did the row keep its
// own values?
//
// Pair    a row that shows something, and a block of private columns that share a coin.
// Belief  how likely an adversary holds it that the pair shows the row's own values. Before the
//         release it is 1/l for every pair.
// Bits    how many bits the release tells about one coin, on average: the mean over pairs of the
//         relative entropy of belief to 1/l. 0.918 at l = 3 is all there is to know.
//         Its upper end is that of this mean. Its lower end is what beliefs proved to be worth: how
//         much better than 1/l they foretold which pairs show their own values, in rows that taught
//         nothing. So beliefs that are noise make a verdict unclear and never a broken one.
// Strong  pairs whose belief is beyond what a likelihood ratio of 14/3 gives: 0.7 at l = 3.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rankveil/base/json.h"

namespace rankveil::audit {

// One pair, with what became of it.
struct CoinBelief {
  std::uint32_t row = 0;
  double belief = 0;  // that it was kept
  // The pair shows the row's own values, kept or not; and how likely these are the row's own if it
  // moved. Where coins are known: whether it was kept, and 0.
  bool own = false;
  double own_if_moved = 0;
};

// Of the pairs believed above a limit: how many, and which part of them really was kept.
struct CoinsAbove {
  std::uint64_t pairs = 0;
  double kept = 0;
  double kept_low = 0;  // at the lower end of its 95% interval
};

struct CoinTenth {
  std::uint64_t pairs = 0;
  double believed = 0;  // on average
  double kept = 0;
};

struct CoinFigures {
  std::uint64_t pairs = 0;
  double keep = 0;                               // 1/l: what is believed before
  double bits = 0, bits_low = 0, bits_high = 0;  // with a 95% interval
  double largest = 0;                            // belief
  std::array<CoinsAbove, 3> above = {};          // 0.5, 0.7, 0.9
  CoinsAbove strong = {};                        // see above
  std::uint64_t rows = 0, rows_with_strong = 0;  // rows with any such coin
  std::array<CoinTenth, 10> tenths = {};         // by belief: below 0.1, below 0.2, ...

  double strong_share() const {
    return pairs == 0 ? 0 : static_cast<double>(strong.pairs) / static_cast<double>(pairs);
  }
};

inline constexpr std::array<double, 3> belief_limits = {0.5, 0.7, 0.9};
inline constexpr double most_bits = 0.03;           // a coin, for a promise over R to be kept
inline constexpr double most_strong_share = 0.001;  // of pairs

// The belief from which on a pair is a strong one.
double strong_belief(double keep);
double bits_of(double belief, double keep);

// Beliefs of one row stand side by side.
CoinFigures coin_figures(std::span<const CoinBelief> beliefs, double keep);

enum class CoinVerdict { Hidden, Shown, Unclear };
// Hidden: bits at most `most_bits` at the upper end of their interval, and strong pairs at most
// `most_strong_share`. Shown: bits are more at the lower end, or strong pairs surely are, and more
// than half of them, surely, right. Unclear: too few pairs to tell.
CoinVerdict judge_coins(const CoinFigures& figures);
// "0.004 bits a coin (0.002 to 0.006); ..."
std::string coins_text(const CoinFigures& figures);

Json to_json(const CoinFigures& figures);
std::optional<CoinFigures> coin_figures_from_json(const Json& json);

}  // namespace rankveil::audit
