#include "rankveil/audit/fit_bits.h"

#include <algorithm>
#include <bit>

namespace rankveil::audit {

namespace {

constexpr std::uint32_t word_bits = 64;

}  // namespace

FitBits::FitBits(std::span<const LawColumn> columns, const ClassList& classes,
                 std::uint32_t vectors)
    : columns_(columns), classes_(classes), words_((vectors + word_bits - 1) / word_bits) {
  for (const LawColumn& column : columns) {
    auto& having = having_.emplace_back(column.mass.size(), Words(words_, 0));
    for (std::uint32_t v = 0; v < vectors; ++v) {
      having[column.feature_of[v]][v / word_bits] |= std::uint64_t{1} << v % word_bits;
    }
  }
}

void FitBits::list(std::uint32_t one, std::vector<std::uint32_t>& vectors) const {
  Words fits(words_, ~std::uint64_t{0}), allowed(words_);
  for (std::uint32_t c = 0; c < columns_.size(); ++c) {
    std::fill(allowed.begin(), allowed.end(), 0);
    const auto& weights = columns_[c].weights[classes_.kind(one, c)];
    for (std::size_t feature = 0; feature < weights.size(); ++feature) {
      if (weights[feature] <= 0) continue;
      for (std::size_t w = 0; w < words_; ++w) allowed[w] |= having_[c][feature][w];
    }
    for (std::size_t w = 0; w < words_; ++w) fits[w] &= allowed[w];
  }
  for (std::size_t w = 0; w < words_; ++w) {
    for (std::uint64_t left = fits[w]; left != 0; left &= left - 1) {
      auto bit = static_cast<std::uint32_t>(std::countr_zero(left));
      vectors.push_back(static_cast<std::uint32_t>(w) * word_bits + bit);
    }
  }
}

double FitBits::work() const {
  double features = 0;
  for (const auto& having : having_) features += static_cast<double>(having.size());
  return features * static_cast<double>(words_) * classes_.count();
}

}  // namespace rankveil::audit
