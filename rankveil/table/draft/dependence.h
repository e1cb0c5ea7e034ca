// Columns that tell what another one hides: seen alone, they give it away.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/table/draft/column_study.h"

namespace rankveil::draft {

// How often somebody guesses right who sees one column and wants the other.
struct Telling {
  double right = 0;    // with the column
  double without = 0;  // by the most frequent value
  double gaining_rows =
      0;  // share of rows whose value is more likely by over 1/3 once the column is seen
  // What is asked about: more than 95% right where it was below 90%, or a gain above 1/3 for 10% of
  // rows by a column that makes nobody wrong more often (by more than 2%). Who is wrong more often
  // has gained from chance alone, as few rows share its values. What protect refuses is counted
  // otherwise, and also of pairs (telling/telling_columns.h).
  bool gives_away() const {
    constexpr double chance = 0.02;
    return (right > 0.95 && without < 0.9) || (gaining_rows > 0.1 && right >= without - chance);
  }
};

// Codes of the same rows, below `seen_values` and `hidden_values`, or no_code. Each row is guessed
// from the others, so that a column of many values does not seem to tell by chance.
Telling telling(const std::vector<std::uint16_t>& seen, std::size_t seen_values,
                const std::vector<std::uint16_t>& hidden, std::size_t hidden_values);

}  // namespace rankveil::draft
