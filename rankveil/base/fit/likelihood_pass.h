// One pass over rows: how well weights fit them, and in which direction they fit better.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/base/fit/one_hot_rows.h"

namespace rankveil::fit {

// Weights of all features, then the intercepts: [feature][class], classes filled up to a multiple
// of four.
using Numbers = std::vector<double>;

class LikelihoodPass {
 public:
  LikelihoodPass(const OneHotRows& rows, std::uint32_t classes, std::uint32_t threads);

  std::uint32_t width() const { return width_; }  // of a feature's classes
  // Sum of -log Pr(class of row); `gradient`: by each weight. Sums are taken in the same order
  // whatever the threads.
  double operator()(const Numbers& weights, Numbers& gradient);

 private:
  void run_piece(std::size_t piece);

  const OneHotRows& rows_;
  std::uint32_t classes_;
  std::uint32_t width_;
  std::uint32_t threads_;
  Numbers padded_;                // weights, intercepts, and zeros for no feature
  std::vector<Numbers> partial_;  // gradients of pieces
  std::vector<double> losses_;    // of pieces
};

}  // namespace rankveil::fit
