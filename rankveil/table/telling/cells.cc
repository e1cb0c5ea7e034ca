#include "rankveil/table/telling/cells.h"

#include <algorithm>
#include <numeric>

namespace rankveil {

namespace {

std::vector<std::uint32_t> spread_rows(std::uint32_t rows, std::uint32_t most,
                                       const std::vector<std::uint8_t>& marked) {
  std::vector<std::uint32_t> all;
  all.reserve(rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (marked.empty() || marked[row] != 0) all.push_back(row);
  }
  if (all.size() <= most) return all;
  std::vector<std::uint32_t> some(most);
  for (std::uint32_t i = 0; i < most; ++i) {
    some[i] = all[static_cast<std::size_t>(std::uint64_t{i} * all.size() / most)];
  }
  return some;
}

std::vector<std::uint16_t> codes_of(const Column& column, const std::vector<std::uint32_t>& rows) {
  auto missing = static_cast<std::uint16_t>(column.domain_size());
  std::vector<std::uint16_t> codes(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ValueId value = column.value(RowId{rows[i]});
    codes[i] = value == missing_value ? missing : static_cast<std::uint16_t>(+value);
  }
  return codes;
}

}  // namespace

SampledRows::SampledRows(const Table& table, std::uint32_t most,
                         const std::vector<std::uint8_t>& marked) {
  std::vector<std::uint32_t> rows = spread_rows(table.rows(), most, marked);
  rows_ = static_cast<std::uint32_t>(rows.size());
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    const Column& column = table.column(AttributeId{i});
    widths_.push_back(column.domain_size() + 1);
    codes_.push_back(codes_of(column, rows));
  }
}

Cells::Cells(std::uint32_t rows) : order_(rows), starts_{0} {
  std::iota(order_.begin(), order_.end(), 0U);
  if (rows > 0) starts_.push_back(rows);
}

// Rows go to the values in the order of cells, and back to their cells in the order of values: two
// stable passes, whatever the size of cells.
Cells Cells::cut_by(std::span<const std::uint16_t> codes, std::uint32_t width) const {
  std::vector<std::uint32_t> cell_of(order_.size());
  for (std::size_t cell = 0; cell + 1 < starts_.size(); ++cell) {
    for (std::uint32_t i = starts_[cell]; i < starts_[cell + 1]; ++i) {
      cell_of[order_[i]] = static_cast<std::uint32_t>(cell);
    }
  }
  std::vector<std::uint32_t> next(width + std::size_t{1}, 0);
  for (std::uint32_t row : order_) ++next[codes[row] + std::size_t{1}];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> by_value(order_.size());
  for (std::uint32_t row : order_) by_value[next[codes[row]]++] = row;

  Cells finer;
  finer.order_.resize(order_.size());
  std::vector<std::uint32_t> place(starts_.begin(), starts_.end());
  for (std::uint32_t row : by_value) finer.order_[place[cell_of[row]]++] = row;
  for (std::size_t i = 0; i < finer.order_.size(); ++i) {
    std::uint32_t row = finer.order_[i];
    bool begins = i == 0 || cell_of[row] != cell_of[finer.order_[i - 1]] ||
                  codes[row] != codes[finer.order_[i - 1]];
    if (begins) finer.starts_.push_back(static_cast<std::uint32_t>(i));
  }
  finer.starts_.push_back(static_cast<std::uint32_t>(finer.order_.size()));
  return finer;
}

}  // namespace rankveil
