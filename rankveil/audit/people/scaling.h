// The law of a random arrangement, row by row: scaling a table of chances until its rows sum to one
// and its columns to how often each vector is there (Sinkhorn).
//
// Somebody who knows which vectors are shown in a group, and how likely each is for each row, holds
// a row for showing a vector with these probabilities, near enough in groups of twenty and more.
#pragma once

#include <cstdint>
#include <vector>

namespace rankveil::audit {

// [row][column], with logarithms of chances going in and probabilities coming out.
struct ChanceTable {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::vector<double> at;

  ChanceTable(std::uint32_t row_count, std::uint32_t column_count)
      : rows(row_count), columns(column_count), at(std::size_t{row_count} * column_count) {}
  double& operator()(std::uint32_t row, std::uint32_t column) {
    return at[std::size_t{row} * columns + column];
  }
  double operator()(std::uint32_t row, std::uint32_t column) const {
    return at[std::size_t{row} * columns + column];
  }
};

// From logarithms of chances to probabilities: rows sum to 1, columns to `counts`, after so many
// rounds. REQUIRES: counts are positive and sum to the number of rows.
// Gives what columns were multiplied by in all.
std::vector<double> scale_to_counts(ChanceTable& table, const std::vector<double>& counts,
                                    std::uint32_t rounds);

}  // namespace rankveil::audit
