#include "rankveil/table/draft/dependence.h"

#include <algorithm>

namespace rankveil::draft {

namespace {

// Rows with each value of the hidden column, for each of the seen one.
struct Counts {
  std::size_t hidden_values;
  std::vector<std::uint32_t> cells, seen_rows, hidden_rows;
  std::uint32_t rows = 0;

  std::uint32_t* of(std::size_t seen) { return cells.data() + seen * hidden_values; }
};

Counts count_pairs(const std::vector<std::uint16_t>& seen, std::size_t seen_values,
                   const std::vector<std::uint16_t>& hidden, std::size_t hidden_values) {
  Counts counts{hidden_values, std::vector<std::uint32_t>(seen_values * hidden_values),
                std::vector<std::uint32_t>(seen_values), std::vector<std::uint32_t>(hidden_values)};
  for (std::size_t row = 0; row < std::min(seen.size(), hidden.size()); ++row) {
    if (seen[row] == ColumnFacts::no_code || hidden[row] == ColumnFacts::no_code) continue;
    ++counts.of(seen[row])[hidden[row]];
    ++counts.seen_rows[seen[row]];
    ++counts.hidden_rows[hidden[row]];
    ++counts.rows;
  }
  return counts;
}

// Rows whose value is the most frequent one among the others that look like them.
std::uint32_t right_in(const std::uint32_t* cells, std::size_t values) {
  const auto* most = std::max_element(cells, cells + values);
  std::uint32_t second = 0;
  for (const auto* cell = cells; cell != cells + values; ++cell) {
    if (cell != most) second = std::max(second, *cell);
  }
  return *most > second + 1 ? *most : 0;
}

}  // namespace

Telling telling(const std::vector<std::uint16_t>& seen, std::size_t seen_values,
                const std::vector<std::uint16_t>& hidden, std::size_t hidden_values) {
  Counts counts = count_pairs(seen, seen_values, hidden, hidden_values);
  if (counts.rows < 100) return {};
  double all = counts.rows, right = 0, gaining = 0;
  for (std::size_t value = 0; value < seen_values; ++value) {
    const std::uint32_t* cells = counts.of(value);
    double others = counts.seen_rows[value] - 1.0;
    if (others < 1) continue;
    right += right_in(cells, hidden_values);
    for (std::size_t told = 0; told < hidden_values; ++told) {
      if (cells[told] == 0) continue;
      double belief = (cells[told] - 1) / others, prior = counts.hidden_rows[told] / all;
      if (belief - prior > 1.0 / 3) gaining += cells[told];
    }
  }
  double most = *std::max_element(counts.hidden_rows.begin(), counts.hidden_rows.end());
  return {right / all, most / all, gaining / all};
}

}  // namespace rankveil::draft
