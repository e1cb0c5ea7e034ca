// Which private vectors fit the profiles of a class, one bit a vector: the way to find them where
// many do. Where few do, SparseWeights rules out many at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/audit/vector_weights.h"

namespace rankveil::audit {

class FitBits {
 public:
  // `columns` and `classes` must outlive it.
  FitBits(std::span<const LawColumn> columns, const ClassList& classes, std::uint32_t vectors);

  // Adds the vectors that fit to the end, ascending. Several threads may do so at once.
  void list(std::uint32_t one, std::vector<std::uint32_t>& vectors) const;
  // How many words all classes together look at.
  double work() const;

 private:
  using Words = std::vector<std::uint64_t>;

  std::span<const LawColumn> columns_;
  const ClassList& classes_;
  std::size_t words_;
  std::vector<std::vector<Words>> having_;  // [column][feature]: vectors that have it
};

}  // namespace rankveil::audit
