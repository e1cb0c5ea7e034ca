// What guesses come to: how often they are right, and how far beliefs moved.
#pragma once

#include <cstdint>
#include <span>

namespace rankveil::audit {

// Rows that are alike to an adversary and have the same value.
struct Truth {
  std::uint32_t place;  // in the posterior; beyond its end: nowhere in it
  double rows;
};

// One attribute at one level. The adversary names the value it holds most likely; among equals, one
// at random. It also bets on the value that the release made it believe most in, against what it
// believed before: bets show whether beliefs are right.
//
// Values that are declared not sensitive are spared: nobody names or bets on them, and certainty
// about them counts for nothing. So every figure is about the others: how often a row's likeliest
// sensitive value is its own.
class Tally {
 public:
  // `posterior` and `prior` have a place for each value; each sums to 1 at most. `spared`: by
  // place, 1: declared not sensitive. Empty: none is. `knows_prior`: the adversary has it; else
  // what is certain is so by the release, whatever public values tell others.
  void add(std::span<const double> posterior, std::span<const double> prior,
           std::span<const Truth> truths, std::span<const std::uint8_t> spared = {},
           bool knows_prior = true);
  void add(const Tally& other);

  double attempts() const { return attempts_; }
  double right() const { return right_; }
  double proven() const { return proven_; }
  double largest_gain() const { return largest_gain_; }
  double certain() const { return attempts_ > 0 ? certain_ / attempts_ : 0; }
  double candidates() const { return attempts_ > 0 ? candidates_ / attempts_ : 0; }

  // (right - prior) / (1 - prior) over all bets; 0 without any.
  double gain_of_bets() const;
  // The same less five standard deviations, and no less than 0: above this by chance once in a
  // million.
  double sure_gain_of_bets() const;

 private:
  double attempts_ = 0, right_ = 0, proven_ = 0, certain_ = 0, candidates_ = 0;
  double largest_gain_ = 0;
  double bets_ = 0, bets_won_ = 0;
  double prior_ = 0, room_ = 0;  // of bets: sums of prior and 1 - prior
};

}  // namespace rankveil::audit
