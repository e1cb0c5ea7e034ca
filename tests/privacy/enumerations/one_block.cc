#include "tests/privacy/enumerations/one_block.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rankveil::enumerations {

OneBlock::OneBlock(std::vector<Arrangement> all, Law prior, double p, Kernels kernels)
    : all_(std::move(all)), prior_(std::move(prior)), p_(p), kernels_(std::move(kernels)) {}

template <typename Counts>
double OneBlock::sum(std::size_t z, const Counts& counts) const {
  double total = 0;
  for (Coins coins = 0; coins < kernels_.size(); ++coins) {
    for (std::size_t truth = 0; truth < size(); ++truth) {
      if (!counts(coins, all_[truth])) continue;
      total += chance(coins, rows(), p_) * prior_[truth] * kernels_[coins][truth][z];
    }
  }
  return total;
}

double OneBlock::shown(std::size_t z) const {
  return sum(z, [](Coins, const Arrangement&) { return true; });
}

double OneBlock::coins(Coins coins, std::size_t z) const {
  return sum(z, [&](Coins c, const Arrangement&) { return c == coins; }) / shown(z);
}

double OneBlock::kept(std::size_t row, std::size_t z) const {
  return sum(z, [&](Coins c, const Arrangement&) { return keeps(c, row); }) / shown(z);
}

double OneBlock::belief(std::size_t row, int value, std::size_t z) const {
  return sum(z, [&](Coins, const Arrangement& pi) { return pi[row] == value; }) / shown(z);
}

double OneBlock::if_moved(std::size_t row, int value, std::size_t z) const {
  auto moved = [&](Coins c, const Arrangement&) { return !keeps(c, row); };
  auto both = [&](Coins c, const Arrangement& pi) { return !keeps(c, row) && pi[row] == value; };
  return sum(z, both) / sum(z, moved);
}

double OneBlock::before(std::size_t row, int value) const {
  double total = 0;
  for (std::size_t truth = 0; truth < size(); ++truth) {
    if (all_[truth][row] == value) total += prior_[truth];
  }
  return total;
}

double OneBlock::coins_show() const {
  double largest = 0;
  for (std::size_t z = 0; z < size(); ++z) {
    for (Coins c = 0; c < kernels_.size(); ++c) {
      largest = std::max(largest, std::abs(coins(c, z) - chance(c, rows(), p_)));
    }
  }
  return largest;
}

}  // namespace rankveil::enumerations
