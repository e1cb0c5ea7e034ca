#include "rankveil/audit/people/scaling.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rankveil::audit {

namespace {

// Up to a factor of the row, which scaling takes out again.
void take_exponentials(ChanceTable& table) {
  for (std::uint32_t row = 0; row < table.rows; ++row) {
    double* own = &table.at[std::size_t{row} * table.columns];
    double largest = *std::max_element(own, own + table.columns);
    for (std::uint32_t column = 0; column < table.columns; ++column) {
      own[column] = std::max(std::exp(own[column] - largest), 1e-290);
    }
  }
}

void scale_rows(ChanceTable& table) {
  for (std::uint32_t row = 0; row < table.rows; ++row) {
    double* own = &table.at[std::size_t{row} * table.columns];
    double sum = 0;
    for (std::uint32_t column = 0; column < table.columns; ++column) sum += own[column];
    for (std::uint32_t column = 0; column < table.columns; ++column) own[column] /= sum;
  }
}

// Gives the factors.
std::vector<double> scale_columns(ChanceTable& table, const std::vector<double>& counts) {
  std::vector<double> sums(table.columns, 0);
  for (std::uint32_t row = 0; row < table.rows; ++row) {
    for (std::uint32_t column = 0; column < table.columns; ++column) {
      sums[column] += table(row, column);
    }
  }
  for (std::uint32_t column = 0; column < table.columns; ++column) {
    sums[column] = counts[column] / sums[column];
  }
  for (std::uint32_t row = 0; row < table.rows; ++row) {
    for (std::uint32_t column = 0; column < table.columns; ++column) {
      table(row, column) *= sums[column];
    }
  }
  return sums;
}

}  // namespace

std::vector<double> scale_to_counts(ChanceTable& table, const std::vector<double>& counts,
                                    std::uint32_t rounds) {
  assert(counts.size() == table.columns && "a count for every column");
  take_exponentials(table);
  scale_rows(table);
  std::vector<double> factors(table.columns, 1);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    std::vector<double> now = scale_columns(table, counts);
    for (std::uint32_t column = 0; column < table.columns; ++column) factors[column] *= now[column];
    scale_rows(table);
  }
  return factors;
}

}  // namespace rankveil::audit
