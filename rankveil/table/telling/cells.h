// Rows sorted into cells: those that are alike in some columns stand beside each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/table/table.h"

namespace rankveil {

// Some rows of a table, attribute by attribute; a missing value is the code behind the last.
class SampledRows {
 public:
  // At most `most` of the rows that are marked (all: no marks), evenly spread over the table.
  SampledRows(const Table& table, std::uint32_t most, const std::vector<std::uint8_t>& marked = {});

  std::uint32_t rows() const { return rows_; }
  std::uint32_t width(AttributeId attribute) const { return widths_[+attribute]; }
  std::span<const std::uint16_t> codes(AttributeId attribute) const { return codes_[+attribute]; }

 private:
  std::uint32_t rows_ = 0;
  std::vector<std::uint32_t> widths_;  // domain size, and one for missing values
  std::vector<std::vector<std::uint16_t>> codes_;
};

// Rows in order of their cells. Cells of one outer cell are neighbours.
class Cells {
 public:
  explicit Cells(std::uint32_t rows);  // one cell

  // The same cells, each cut by the column's values.
  Cells cut_by(std::span<const std::uint16_t> codes, std::uint32_t width) const;

  std::span<const std::uint32_t> order() const { return order_; }
  // Where cells begin, and the end of the last.
  std::span<const std::uint32_t> starts() const { return starts_; }

 private:
  Cells() = default;

  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> starts_;
};

}  // namespace rankveil
