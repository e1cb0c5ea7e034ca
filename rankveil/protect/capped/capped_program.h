// The best way to speak about one value under caps: which signals to send, and how often.
//
// A signal is a posterior: how likely each value is, to somebody who sees it. Among all ways to
// speak whose posteriors stay below the caps, the one that leaves the smallest expected squared
// error of a score sends corners of the set {0 <= p <= caps, sum p = 1}, in proportions that a
// linear program finds (docs/concepts/capped.md).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace rankveil {

// Value and probability, by value; the rest is 0.
using Signal = std::vector<std::pair<std::uint32_t, double>>;

// One attribute in one group.
struct CappedProblem {
  std::vector<double> shares;       // positive, summing to 1
  std::vector<double> caps;         // each at least the share
  std::vector<double> frequencies;  // how often a query asks for the value; not negative
};

struct CappedMechanism {
  std::vector<Signal> signals;
  std::vector<double> weights;  // how often each signal is sent: sum 1, all positive
  double value = 0;             // sum of weight x sum of frequency x probability^2
  // Per value. No corner is worth more than its price, sum of price x probability, up to rounding;
  // so no mechanism is worth more than the price of the shares.
  std::vector<double> prices;
  double bound = 0;         // that price, with what rounding may add
  std::size_t corners = 0;  // that were looked at; 0: too many to write down

  bool proven() const { return bound - value <= 1e-9 * (1 + bound); }
};

// All corners; nothing if there are more than `most`.
std::optional<std::vector<Signal>> corners_of(const std::vector<double>& caps, std::size_t most);

// With more corners than `max_corners`, they are found one by one, as the program asks for them.
// Should the solver fail, the one signal is the shares themselves: it says nothing, and is not
// proven.
CappedMechanism best_capped(const CappedProblem& problem, std::size_t max_corners = 50'000);

// The corner with the largest sum of frequency x p^2 - price x p.
Signal best_corner(const std::vector<double>& caps, const std::vector<double>& frequencies,
                   const std::vector<double>& prices);

}  // namespace rankveil
