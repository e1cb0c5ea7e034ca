// Whether the sensitive values of a group may be shown.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "rankveil/base/result.h"
#include "rankveil/connect/columns.h"
#include "rankveil/publish/points.h"
#include "rankveil/publish/release/publication.h"

namespace rankveil::publish {

// Refuses an l below 2, an entropy l of 1 or less, a closeness outside [0, 1).
Status check_diversity(const Diversity& demand);

// A sensitive column, prepared once for all groups. Missing values count as one value of their own.
class SensitiveColumn {
 public:
  explicit SensitiveColumn(const connect::TextColumn& column);

  const connect::TextColumn& column() const { return column_; }
  // The number of each distinct value; empty: some value is no number.
  const std::vector<double>& numbers() const { return numbers_; }

  // Why the values of these rows must be withheld; nothing: they may be shown. Distances are earth
  // mover's: over ranks for numbers, with all values equally far apart for categories.
  std::optional<std::string> reason_to_withhold(std::span<const Row> rows,
                                                const Diversity& demand) const;
  // How far the values of these rows are from those of the whole table: 0 to 1.
  double distance(std::span<const Row> rows) const;

 private:
  std::vector<double> shares(std::span<const Row> rows) const;

  const connect::TextColumn& column_;
  std::vector<double> numbers_;
  std::vector<std::uint32_t> order_;  // values by number, or as they come; missing last
  std::vector<double> table_shares_;  // by value, missing last
};

// Several columns as one: a value is what a row has in all of them. Missing values are values here.
// REQUIRES: columns of equally many rows.
connect::TextColumn combined(std::span<const connect::TextColumn* const> columns);

// The numbers that texts stand for; empty when one is none.
std::vector<double> numbers_of(const connect::TextColumn& column);

}  // namespace rankveil::publish
