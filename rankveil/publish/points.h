// Tuples as points: a column of numbers for each ranking attribute, and a score each.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rankveil::publish {

// A row of the table, by its number from 0.
using Row = std::uint32_t;

inline constexpr std::size_t most_dimensions = 32;
// Of rows that lack a ranking value: they come last and lie in no box.
inline constexpr double no_score = -std::numeric_limits<double>::infinity();

struct Points {
  // One of them for each ranking attribute, all of the same length; NaN: missing.
  std::vector<std::vector<double>> columns;
  std::vector<double> scores;  // larger is better; no_score: some ranking value is missing

  Row rows() const { return static_cast<Row>(scores.size()); }
  std::size_t dimensions() const { return columns.size(); }
};

// An axis-parallel box, edges included.
struct Box {
  std::vector<double> low;
  std::vector<double> high;

  bool holds(const Points& points, Row row) const;
  bool operator==(const Box&) const = default;
};

// The smallest box around some rows. REQUIRES: at least one, none with missing values.
Box box_around(const Points& points, std::span<const Row> rows);

}  // namespace rankveil::publish
