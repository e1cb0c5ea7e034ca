// A piece of a pass over rows as plain pointers: files compiled for different instruction sets
// share no code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rankveil::fit {

struct PieceTask {
  std::size_t begin;  // rows
  std::size_t end;
  std::uint32_t columns;
  std::uint32_t width;            // classes, a multiple of four
  std::uint32_t none;             // the feature that weighs nothing; behind it the intercepts
  const std::uint32_t* features;  // [row][column]
  const std::uint16_t* labels;    // per row
  const double* row_weights;      // per row
  const double* weights;          // [feature][class]
  double* gradient;               // likewise, added to
  double* scores;                 // room for one row
};

// The loss of the rows.
double pass_over_any(const PieceTask& task);
double pass_over_avx2(const PieceTask& task);

}  // namespace rankveil::fit
