#include "rankveil/audit/people/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rankveil/base/random.h"

namespace rankveil::audit {

namespace {

constexpr std::uint32_t steps = 40;
constexpr std::uint32_t mean_steps = 4;  // for each of them
constexpr double ridge = 1;

// A symmetric, positive system of a few equations, by Gauss.
std::vector<double> solved(std::vector<std::vector<double>> matrix, std::vector<double> right) {
  std::size_t n = right.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = i + 1; k < n; ++k) {
      double factor = matrix[k][i] / matrix[i][i];
      for (std::size_t j = i; j < n; ++j) matrix[k][j] -= factor * matrix[i][j];
      right[k] -= factor * right[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) right[i] -= matrix[i][j] * right[j];
    right[i] /= matrix[i][i];
  }
  return right;
}

// Odds of a coin by its signs. The first weight is that of a constant.
class Odds {
 public:
  Odds(std::size_t signs, double keep) : start_(std::log(keep / (1 - keep))) {
    center_.assign(signs + 1, 0);
    if (signs > 0) center_[1] = 1;
    weights_ = center_;
  }

  double belief(const CoinSigns& signs) const {
    double score = start_ + weights_[0];
    for (std::size_t i = 0; i < signs.size(); ++i) score += weights_[i + 1] * signs[i];
    return 1 / (1 + std::exp(-score));
  }

  // One step of Newton's towards coins being kept as often as they seem to be, given what they
  // show and what is believed now.
  void step(std::span<const CoinSigns> signs, std::span<const CoinBelief> coins,
            std::span<const std::uint32_t> lessons) {
    std::size_t n = weights_.size();
    std::vector<std::vector<double>> matrix(n, std::vector<double>(n, 0));
    std::vector<double> slope(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      matrix[i][i] = ridge;
      slope[i] = -ridge * (weights_[i] - center_[i]);
    }
    for (std::uint32_t at : lessons) add_lesson(signs[at], coins[at], matrix, slope);
    std::vector<double> change = solved(std::move(matrix), std::move(slope));
    for (std::size_t i = 0; i < n; ++i) weights_[i] += std::clamp(change[i], -1.0, 1.0);
  }

  // Newton's steps of the constant towards this mean.
  void set_mean(std::span<const CoinSigns> signs, std::span<const std::uint32_t> lessons,
                double mean) {
    weights_[1] = std::max(weights_[1], 0.0);
    for (std::uint32_t i = 0; i < mean_steps && !lessons.empty(); ++i) {
      double sum = 0, slope = 0;
      for (std::uint32_t at : lessons) {
        double now = belief(signs[at]);
        sum += now;
        slope += now * (1 - now);
      }
      double missing = mean * static_cast<double>(lessons.size()) - sum;
      weights_[0] += std::clamp(missing / std::max(slope, 1e-9), -1.0, 1.0);
    }
  }

 private:
  void add_lesson(const CoinSigns& signs, const CoinBelief& coin,
                  std::vector<std::vector<double>>& matrix, std::vector<double>& slope) const {
    double now = belief(signs);
    double kept = coin.own ? now / (now + (1 - now) * coin.own_if_moved) : 0;
    double spread = now * (1 - now);
    auto sign = [&](std::size_t i) { return i == 0 ? 1.0 : signs[i - 1]; };
    for (std::size_t i = 0; i < slope.size(); ++i) {
      slope[i] += (kept - now) * sign(i);
      for (std::size_t j = 0; j < slope.size(); ++j) matrix[i][j] += spread * sign(i) * sign(j);
    }
  }

  double start_;
  std::vector<double> center_, weights_;
};

}  // namespace

void calibrate(std::span<const CoinSigns> signs, double keep, std::uint64_t seed,
               std::vector<CoinBelief>& coins, std::optional<double> mean) {
  if (coins.empty()) return;
  std::vector<std::uint32_t> halves[2];
  for (std::uint32_t at = 0; at < coins.size(); ++at) {
    Rng rng(seed ^ (std::uint64_t{coins[at].row} << 20) ^ 0xca11b7a7e);
    halves[rng.below(2)].push_back(at);
  }
  for (int half = 0; half < 2; ++half) {
    Odds odds(signs.front().size(), keep);
    for (std::uint32_t i = 0; i < steps; ++i) {
      odds.step(signs, coins, halves[1 - half]);
      if (mean) odds.set_mean(signs, halves[1 - half], *mean);
    }
    for (std::uint32_t at : halves[half]) coins[at].belief = odds.belief(signs[at]);
  }
}

}  // namespace rankveil::audit
