#include "rankveil/base/fit/likelihood_pass.h"

#include <algorithm>

#include "rankveil/base/cpu.h"
#include "rankveil/base/fit/piece_task.h"
#include "rankveil/base/fit/portable_math.h"
#include "rankveil/base/parallel.h"

namespace rankveil::fit {

namespace {

// A fixed number, or sums would depend on the threads; fewer where there is much to add up.
std::size_t pieces_for(std::size_t rows, std::size_t numbers) {
  std::size_t most = numbers > 100'000 ? 4 : 16;
  return std::clamp<std::size_t>(rows / 1024, 1, most);
}

bool has_avx2() {
  static const bool there = [] {
    auto isas = supported_isas();
    return std::find(isas.begin(), isas.end(), Isa::Avx2) != isas.end();
  }();
  return there;
}

}  // namespace

LikelihoodPass::LikelihoodPass(const OneHotRows& rows, std::uint32_t classes, std::uint32_t threads)
    : rows_(rows),
      classes_(classes),
      width_((classes + four - 1) / four * four),
      threads_(threads),
      padded_(std::size_t{rows.features + 2} * width_) {
  std::size_t pieces = pieces_for(rows.rows(), padded_.size());
  partial_.assign(pieces, Numbers(padded_.size()));
  losses_.assign(pieces, 0);
}

// The features of padded_: those of the rows, none, and the intercepts last.
void LikelihoodPass::run_piece(std::size_t piece) {
  Numbers& gradient = partial_[piece];
  std::fill(gradient.begin(), gradient.end(), 0);
  Numbers scores(width_);
  PieceTask task{.begin = rows_.rows() * piece / partial_.size(),
                 .end = rows_.rows() * (piece + 1) / partial_.size(),
                 .columns = rows_.columns,
                 .width = width_,
                 .none = rows_.none(),
                 .features = rows_.feature.data(),
                 .labels = rows_.labels.data(),
                 .row_weights = rows_.weights.data(),
                 .weights = padded_.data(),
                 .gradient = gradient.data(),
                 .scores = scores.data()};
  losses_[piece] = has_avx2() ? pass_over_avx2(task) : pass_over_any(task);
}

double LikelihoodPass::operator()(const Numbers& weights, Numbers& gradient) {
  constexpr double never = -1e300;  // classes that only fill up
  std::size_t features = std::size_t{rows_.features} * width_;
  std::copy(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(features),
            padded_.begin());
  double* intercepts = &padded_[features + width_];
  for (std::uint32_t k = 0; k < width_; ++k) {
    intercepts[k] = k < classes_ ? weights[features + k] : never;
  }
  parallel_for(partial_.size(), threads_, [&](std::size_t piece) { run_piece(piece); });
  gradient.assign(features + width_, 0);
  for (const Numbers& part : partial_) {
    for (std::size_t i = 0; i < features; ++i) gradient[i] += part[i];
    for (std::uint32_t k = 0; k < width_; ++k)
      gradient[features + k] += part[features + width_ + k];
  }
  double loss = 0;
  for (double part : losses_) loss += part;
  return loss;
}

}  // namespace rankveil::fit
