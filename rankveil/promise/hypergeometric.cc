#include "rankveil/promise/hypergeometric.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace rankveil {

namespace {

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

}  // namespace

double hypergeometric_tail(std::uint64_t all, std::uint64_t marked, std::uint64_t drawn,
                           std::uint64_t count) {
  std::uint64_t least = marked + drawn > all ? marked + drawn - all : 0;
  std::uint64_t most = std::min(marked, drawn);
  if (count <= least) return 1;
  if (count > most) return 0;
  auto n = static_cast<double>(all), k = static_cast<double>(marked);
  auto d = static_cast<double>(drawn), x = static_cast<double>(count);
  double term = std::exp(log_choose(k, x) + log_choose(n - k, d - x) - log_choose(n, d));
  double sum = 0;
  for (std::uint64_t i = count; i <= most && term > 0; ++i) {
    sum += term;
    auto at = static_cast<double>(i);
    term *= (k - at) * (d - at) / ((at + 1) * (n - k - d + at + 1));
  }
  return std::min(1.0, sum);
}

// ---- Agreement ----

namespace {

// Given how many people a kind has, everybody's group is a coin; given also how large the groups
// are, the coins' bias is all that is lost by taking them as independent: P(A | sum) <= P(A) /
// P(sum).
class Agreement {
 public:
  explicit Agreement(std::span<const std::pair<std::uint64_t, std::uint64_t>> kinds) {
    for (const auto& [first, second] : kinds) {
      ++kinds_of_size_[first + second];
      agreed_ += static_cast<double>(std::min(first, second));
      first_ += static_cast<double>(first);
      all_ += static_cast<double>(first + second);
    }
  }

  double bound() const {
    if (all_ == 0 || agreed_ == 0) return 1;
    double best = 0;
    for (double tilt = 0.125; tilt <= 64; tilt *= 1.25) {
      best = std::min(best, log_moment(tilt) - tilt * agreed_);
    }
    return std::min(1.0, std::exp(best - log_probability_of_sizes()));
  }

 private:
  double share() const { return first_ / all_; }

  double log_probability_of_sizes() const {
    double p = share();
    if (p <= 0 || p >= 1) return 0;
    return log_choose(all_, first_) + first_ * std::log(p) + (all_ - first_) * std::log1p(-p);
  }

  // log E exp(tilt * min(B, t - B)), summed over kinds; B counts the first group's among t.
  double log_moment(double tilt) const {
    double sum = 0;
    for (const auto& [size, kinds] : kinds_of_size_) {
      sum += static_cast<double>(kinds) * log_moment_of_size(size, tilt);
    }
    return sum;
  }

  double log_moment_of_size(std::uint64_t size, double tilt) const {
    double p = share();
    if (p <= 0 || p >= 1) return 0;
    auto t = static_cast<double>(size);
    double mean = 0;
    for (std::uint64_t i = 0; i <= size; ++i) {
      auto b = static_cast<double>(i);
      double log_weight = log_choose(t, b) + b * std::log(p) + (t - b) * std::log1p(-p);
      double smaller = std::min(b, t - b);
      // In steps that do not overflow: at the largest the smaller one is half of all.
      mean += std::exp(log_weight + tilt * (smaller - std::floor(t / 2)));
    }
    return std::log(mean) + tilt * std::floor(t / 2);
  }

  std::map<std::uint64_t, std::uint64_t> kinds_of_size_;
  double agreed_ = 0;
  double first_ = 0;
  double all_ = 0;
};

}  // namespace

double agreement_tail(std::span<const std::pair<std::uint64_t, std::uint64_t>> kinds) {
  return Agreement(kinds).bound();
}

}  // namespace rankveil
