// Rows as lists of features, equal ones counted once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/base/fit/multinomial.h"

namespace rankveil::fit {

// Features are numbered over all columns. Behind the last stands one for columns in which a row has
// none: it weighs nothing.
struct OneHotRows {
  std::uint32_t columns = 0;
  std::uint32_t features = 0;            // without the one for none
  std::vector<std::uint32_t> first;      // per column: its first feature
  std::vector<std::uint32_t> of_column;  // per column: how many
  std::vector<std::uint32_t> ordered;    // per column: how many of those have an order
  std::vector<std::uint32_t> feature;    // [row][column]
  std::vector<std::uint16_t> labels;     // per row
  std::vector<double> weights;           // per row: how many rows it stands for
  double total = 0;                      // of the weights

  std::size_t rows() const { return labels.size(); }
  std::uint32_t none() const { return features; }
  const std::uint32_t* row(std::size_t r) const { return feature.data() + r * columns; }
};

// The different rows of the columns, in the order in which they are first met.
OneHotRows one_hot_rows(std::span<const FeatureColumn> columns,
                        std::span<const std::uint16_t> labels);

// Every `step`th row.
OneHotRows thinned(const OneHotRows& rows, std::size_t step);

}  // namespace rankveil::fit
