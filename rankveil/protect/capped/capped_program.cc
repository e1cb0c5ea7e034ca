#include "rankveil/protect/capped/capped_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "rankveil/protect/capped/linear_program.h"

namespace rankveil {

namespace {

// Sums of caps that should be 1 may miss it by this.
constexpr double mass_tolerance = 1e-12;

// A corner has some values at their cap, and at most one between 0 and its cap.
class Corners {
 public:
  Corners(const std::vector<double>& caps, std::size_t most) : caps_(caps), most_(most) {}

  std::optional<std::vector<Signal>> run() {
    choose(0, 1);
    if (corners_.size() > most_) return std::nullopt;
    return std::move(corners_);
  }

 private:
  // `rest`: what is still to be given out.
  void choose(std::uint32_t from, double rest) {
    if (corners_.size() > most_) return;
    if (rest <= mass_tolerance) return finish();
    for (std::uint32_t value = 0; value < caps_.size(); ++value) {
      if (rest < caps_[value] - mass_tolerance && !is_chosen(value)) finish_with(value, rest);
    }
    for (std::uint32_t value = from; value < caps_.size(); ++value) {
      if (caps_[value] > rest + mass_tolerance) continue;
      chosen_.emplace_back(value, caps_[value]);
      choose(value + 1, rest - caps_[value]);
      chosen_.pop_back();
    }
  }

  bool is_chosen(std::uint32_t value) const {
    return std::any_of(chosen_.begin(), chosen_.end(),
                       [value](const auto& entry) { return entry.first == value; });
  }

  void finish() {
    corners_.push_back(chosen_);
    std::sort(corners_.back().begin(), corners_.back().end());
  }

  void finish_with(std::uint32_t value, double rest) {
    chosen_.emplace_back(value, rest);
    finish();
    chosen_.pop_back();
  }

  const std::vector<double>& caps_;
  std::size_t most_;
  Signal chosen_;
  std::vector<Signal> corners_;
};

double worth_of(const Signal& signal, const std::vector<double>& frequencies) {
  double worth = 0;
  for (auto [value, p] : signal) worth += frequencies[value] * p * p;
  return worth;
}

double price_of(const Signal& signal, const std::vector<double>& prices) {
  double price = 0;
  for (auto [value, p] : signal) price += prices[value] * p;
  return price;
}

}  // namespace

std::optional<std::vector<Signal>> corners_of(const std::vector<double>& caps, std::size_t most) {
  return Corners(caps, most).run();
}

namespace {

// Nearly all values have the same, smallest cap: which of those stand at it is a matter of sorting.
// Branch and bound goes over the others, the common values. What a value adds is convex in p, so a
// line from 0 to its cap bounds it; and of the common values that were passed over, at most one can
// still come in, below its cap.
class BestCorner {
 public:
  BestCorner(const std::vector<double>& caps, const std::vector<double>& frequencies,
             const std::vector<double>& prices)
      : caps_(caps),
        frequencies_(frequencies),
        prices_(prices),
        small_cap_(*std::min_element(caps.begin(), caps.end())),
        large_cap_(*std::max_element(caps.begin(), caps.end())),
        is_chosen_(caps.size(), 0) {
    for (std::uint32_t value = 0; value < caps.size(); ++value) {
      slopes_.push_back(frequencies[value] * caps[value] - prices[value]);
      bool is_rare = caps[value] <= small_cap_ + mass_tolerance;
      (is_rare ? rare_ : common_).push_back(value);
    }
    auto steeper = [this](std::uint32_t a, std::uint32_t b) { return slopes_[a] > slopes_[b]; };
    std::stable_sort(rare_.begin(), rare_.end(), steeper);
    std::stable_sort(common_.begin(), common_.end(), steeper);
  }

  Signal run() {
    choose(0, 1, 0, nothing);
    std::sort(best_.begin(), best_.end());
    return best_;
  }

 private:
  static constexpr double nothing = -std::numeric_limits<double>::infinity();

  double gain(std::uint32_t value, double p) const {
    return p * (frequencies_[value] * p - prices_[value]);
  }

  // `passed`: the steepest slope among common values passed over.
  void choose(std::size_t at, double rest, double value, double passed) {
    complete(rest, value);
    for (; at < common_.size(); ++at) {
      if (value + most(at, rest, passed) <= best_value_ + 1e-13) return;
      std::uint32_t next = common_[at];
      if (caps_[next] <= rest + mass_tolerance) {
        chosen_.emplace_back(next, caps_[next]);
        is_chosen_[next] = 1;
        choose(at + 1, rest - caps_[next], value + gain(next, caps_[next]), passed);
        chosen_.pop_back();
        is_chosen_[next] = 0;
      }
      passed = std::max(passed, slopes_[next]);
    }
  }

  // Gives `rest` to rare values, the best at their cap, and to one more value of any kind.
  void complete(double rest, double value) {
    for (std::size_t count = 0; count <= rare_.size(); ++count) {
      if (rest <= mass_tolerance) return offer(value, count, none, 0);
      for (std::uint32_t last = 0; last < caps_.size(); ++last) {
        if (is_chosen_[last] != 0 || rest >= caps_[last] - mass_tolerance) continue;
        complete_with(last, rest, value, count);
      }
      if (count == rare_.size() || small_cap_ > rest + mass_tolerance) return;
      value += gain(rare_[count], caps_[rare_[count]]);
      rest -= small_cap_;
    }
  }

  // The last value may be among the first `count` rare ones: then the next takes its place.
  void complete_with(std::uint32_t last, double rest, double value, std::size_t count) {
    auto end = rare_.begin() + static_cast<std::ptrdiff_t>(count);
    bool is_among = std::find(rare_.begin(), end, last) != end;
    if (is_among && count == rare_.size()) return;
    if (is_among) value += gain(*end, caps_[*end]) - gain(last, caps_[last]);
    offer(value + gain(last, rest), is_among ? count + 1 : count, last, rest);
  }

  // Chosen common values, the first `count` rare ones but `last`, and `last` itself.
  void offer(double value, std::size_t count, std::uint32_t last, double rest) {
    if (value <= best_value_) return;
    best_value_ = value;
    best_ = chosen_;
    for (std::size_t i = 0; i < count; ++i) {
      if (rare_[i] != last) best_.emplace_back(rare_[i], caps_[rare_[i]]);
    }
    if (last != none) best_.emplace_back(last, rest);
  }

  double slope_of(const std::vector<std::uint32_t>& values, std::size_t at) const {
    if (at >= values.size()) return nothing;
    return slopes_[values[at]];
  }

  // What `rest` can add at most: common values from `at` on, one that was passed over, all rare
  // ones; the steepest first.
  double most(std::size_t at, double rest, double passed) const {
    double sum = 0;
    std::size_t rare = 0;
    while (rest > mass_tolerance) {
      double common_slope = slope_of(common_, at);
      double rare_slope = slope_of(rare_, rare);
      double slope = std::max({common_slope, rare_slope, passed});
      if (slope == nothing) return nothing;
      double cap = large_cap_;
      if (slope == common_slope) {
        cap = caps_[common_[at++]];
      } else if (slope == rare_slope) {
        cap = caps_[rare_[rare++]];
      } else {
        passed = nothing;
      }
      sum += std::min(rest, cap) * slope;
      rest -= cap;
    }
    return sum;
  }

  static constexpr std::uint32_t none = 0xFFFFFFFF;

  const std::vector<double>& caps_;
  const std::vector<double>& frequencies_;
  const std::vector<double>& prices_;
  double small_cap_;
  double large_cap_;
  std::vector<double> slopes_;
  std::vector<std::uint32_t> rare_;    // at the smallest cap, steepest first
  std::vector<std::uint32_t> common_;  // the others
  std::vector<std::uint8_t> is_chosen_;
  Signal chosen_;
  Signal best_;
  double best_value_ = nothing;
};

}  // namespace

Signal best_corner(const std::vector<double>& caps, const std::vector<double>& frequencies,
                   const std::vector<double>& prices) {
  return BestCorner(caps, frequencies, prices).run();
}

namespace {

// Solutions that miss a share by a larger part are not used: posteriors would miss the caps.
constexpr double share_error = 1e-13;
// Signals that are sent less often are what rounding left of none.
constexpr double min_weight = 1e-15;
// A corner that would add less does not pay.
constexpr double min_gain = 1e-11;
// Corners that are handed to the solver at once, for each value of the attribute.
constexpr std::size_t first_per_value = 6;
constexpr std::size_t next_per_value = 2;

Signal whole(const std::vector<double>& shares) {
  Signal signal;
  for (std::uint32_t value = 0; value < shares.size(); ++value) {
    signal.emplace_back(value, shares[value]);
  }
  return signal;
}

CappedMechanism silent_mechanism(const CappedProblem& problem) {
  CappedMechanism made;
  made.signals = {whole(problem.shares)};
  made.weights = {1};
  made.value = worth_of(made.signals[0], problem.frequencies);
  // Since p^2 <= cap x p.
  for (std::size_t x = 0; x < problem.shares.size(); ++x) {
    made.prices.push_back(problem.frequencies[x] * problem.caps[x]);
    made.bound += made.prices[x] * problem.shares[x];
  }
  return made;
}

// How far the weights of the signals are from making up the shares, as a part of each share.
double error_of(const CappedMechanism& made, const std::vector<double>& shares) {
  std::vector<double> missing = shares;
  for (std::size_t i = 0; i < made.signals.size(); ++i) {
    for (auto [value, p] : made.signals[i]) missing[value] -= made.weights[i] * p;
  }
  double most = 0;
  for (std::size_t x = 0; x < shares.size(); ++x) {
    most = std::max(most, std::abs(missing[x]) / shares[x]);
  }
  return most;
}

void drop_unused(CappedMechanism& made) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < made.signals.size(); ++i) {
    if (made.weights[i] < min_weight) continue;
    std::swap(made.signals[kept], made.signals[i]);
    made.weights[kept++] = made.weights[i];
  }
  made.signals.resize(kept);
  made.weights.resize(kept);
}

// The signals that a solution sends; signals[i] is its column first + i.
CappedMechanism mechanism_of(const CappedProblem& problem, const std::vector<Signal>& signals,
                             const LinearSolution& solution, std::size_t first) {
  CappedMechanism made;
  // Weights sum to 1, so a corner that is underpriced by e can add no more than e.
  double underpriced = 0;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    underpriced = std::max(underpriced, worth_of(signals[i], problem.frequencies) -
                                            price_of(signals[i], solution.prices));
    if (solution.amounts[first + i] <= 0) continue;
    made.signals.push_back(signals[i]);
    made.weights.push_back(solution.amounts[first + i]);
  }
  for (int i = 0; i < 3 && error_of(made, problem.shares) > share_error; ++i) {
    sharpen(made.signals, problem.shares, made.weights);
    drop_unused(made);
  }
  if (error_of(made, problem.shares) > share_error) return silent_mechanism(problem);
  for (std::size_t i = 0; i < made.signals.size(); ++i) {
    made.value += made.weights[i] * worth_of(made.signals[i], problem.frequencies);
  }
  made.prices = solution.prices;
  made.bound = solution.dual_value + underpriced;
  return made;
}

// A program that starts from columns that are no signals, at a price that nothing else has, one for
// each value; signals come in as prices call for them.
class GrowingProgram {
 public:
  explicit GrowingProgram(const CappedProblem& problem)
      : problem_(problem),
        most_(*std::max_element(problem.frequencies.begin(), problem.frequencies.end())),
        program_(problem.shares) {
    for (std::uint32_t value = 0; value < problem.shares.size(); ++value) {
      LinearEntry entry{value, 1};
      program_.add_column(-1000 * (1 + most_), std::span(&entry, 1));
    }
  }

  void add(const Signal& corner) {
    program_.add_column(worth_of(corner, problem_.frequencies), corner);
    signals_.push_back(corner);
  }

  const LinearSolution* solve() {
    solution_ = program_.solve();
    return solution_ ? &*solution_ : nullptr;
  }

  // What a corner is worth beyond the prices of the last solution.
  double gain(const Signal& corner) const {
    return worth_of(corner, problem_.frequencies) - price_of(corner, solution_->prices);
  }
  bool pays(double gain) const { return gain > min_gain * (1 + most_); }

  // `best`: no corner gains more.
  CappedMechanism mechanism(const Signal& best) {
    signals_.push_back(best);
    solution_->amounts.push_back(0);
    return mechanism_of(problem_, signals_, *solution_, problem_.shares.size());
  }

 private:
  const CappedProblem& problem_;
  double most_;
  LinearProgram program_;
  std::vector<Signal> signals_;
  std::optional<LinearSolution> solution_;
};

// Corners in the order of what they gain, each once at most.
class CornerMarket {
 public:
  explicit CornerMarket(const std::vector<Signal>& corners)
      : corners_(corners), is_taken_(corners.size(), 0) {}

  const Signal& best() const { return corners_[best_]; }

  // Moves up to `most` corners that `gain` says are the best of those that pay into the program,
  // and says whether there were any.
  template <typename Gain, typename Pays>
  bool trade(GrowingProgram& program, std::size_t most, const Gain& gain, const Pays& pays) {
    offers_.clear();
    double best_gain = -std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < corners_.size(); ++i) {
      double one = gain(corners_[i]);
      if (one > best_gain) std::tie(best_gain, best_) = std::pair(one, i);
      if (is_taken_[i] == 0 && pays(one)) offers_.emplace_back(-one, i);
    }
    most = std::min(most, offers_.size());
    auto end = offers_.begin() + static_cast<std::ptrdiff_t>(most);
    std::partial_sort(offers_.begin(), end, offers_.end());
    for (auto offer = offers_.begin(); offer != end; ++offer) {
      is_taken_[offer->second] = 1;
      program.add(corners_[offer->second]);
    }
    return most > 0;
  }

 private:
  const std::vector<Signal>& corners_;
  std::vector<std::uint8_t> is_taken_;
  std::vector<std::pair<double, std::uint32_t>> offers_;  // less is better; then by number
  std::uint32_t best_ = 0;
};

// Most corners are in no solution, so they come in a few at a time: first those that use the caps
// best, then what the prices call for.
CappedMechanism solve_all(const CappedProblem& problem, const std::vector<Signal>& corners) {
  std::size_t values = problem.shares.size();
  GrowingProgram program(problem);
  CornerMarket market(corners);
  std::vector<double> highest_prices;  // since p^2 <= cap x p
  for (std::size_t x = 0; x < values; ++x) {
    highest_prices.push_back(problem.frequencies[x] * problem.caps[x]);
  }
  auto by_caps = [&](const Signal& corner) {
    return worth_of(corner, problem.frequencies) - price_of(corner, highest_prices);
  };
  market.trade(program, first_per_value * values, by_caps, [](double) { return true; });
  while (program.solve() != nullptr) {
    bool traded = market.trade(
        program, next_per_value * values,
        [&](const Signal& corner) { return program.gain(corner); },
        [&](double gain) { return program.pays(gain); });
    if (traded) continue;
    CappedMechanism made = program.mechanism(market.best());
    made.corners = corners.size();
    return made;
  }
  return silent_mechanism(problem);
}

CappedMechanism solve_by_demand(const CappedProblem& problem) {
  GrowingProgram program(problem);
  for (std::size_t round = 0; round < 200 * problem.shares.size(); ++round) {
    const LinearSolution* solution = program.solve();
    if (solution == nullptr) break;
    Signal corner = best_corner(problem.caps, problem.frequencies, solution->prices);
    if (!program.pays(program.gain(corner))) return program.mechanism(corner);
    program.add(corner);
  }
  return silent_mechanism(problem);
}

}  // namespace

CappedMechanism best_capped(const CappedProblem& problem, std::size_t max_corners) {
  if (problem.shares.size() == 1) {
    return {.signals = {{{0, 1}}},
            .weights = {1},
            .value = problem.frequencies[0],
            .prices = problem.frequencies,
            .bound = problem.frequencies[0],
            .corners = 1};
  }
  auto corners = corners_of(problem.caps, max_corners);
  return corners ? solve_all(problem, *corners) : solve_by_demand(problem);
}

}  // namespace rankveil
