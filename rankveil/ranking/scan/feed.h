// What a query asks of a segment: attributes and their weights, and planes and what they count.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/ranking/kernels/kernel.h"
#include "rankveil/table/column.h"

namespace rankveil {

struct Wish {
  std::uint32_t attribute;
  const std::vector<ValueId>* values;
  std::int64_t weight;  // what a full public match, a shown value, or one level counts
  // Of the values, so many times that weight; null: once each. Values of one level count the best
  // grade that a row has.
  const std::vector<std::uint8_t>* grades = nullptr;

  std::int64_t grade(std::size_t i) const { return grades == nullptr ? 1 : (*grades)[i]; }
};

// The rows of a segment that take part: whole lines of words, none set behind the last row.
class RowFilter {
 public:
  RowFilter() = default;  // all of them
  explicit RowFilter(const std::uint64_t* words) : words_(words) {}

  bool is_all() const { return words_ == nullptr; }
  std::uint64_t word(std::uint32_t i) const { return is_all() ? ~std::uint64_t{0} : words_[i]; }
  bool test(std::uint32_t position) const { return (word(position / 64) >> (position % 64)) & 1; }

  // The first line of [line, end) with a row that takes part; the first without one.
  std::uint32_t first_open(std::uint32_t line, std::uint32_t end) const {
    while (line < end && !is_open(line)) ++line;
    return line;
  }
  std::uint32_t first_closed(std::uint32_t line, std::uint32_t end) const {
    if (is_all()) return end;
    while (line < end && is_open(line)) ++line;
    return line;
  }

 private:
  bool is_open(std::uint32_t line) const {
    if (is_all()) return true;
    std::uint64_t some = 0;
    for (std::size_t i = 0; i < kernels::words_per_line; ++i) {
      some |= words_[std::size_t{line} * kernels::words_per_line + i];
    }
    return some != 0;
  }

  const std::uint64_t* words_ = nullptr;
};

// A plane and what a set bit adds to the score.
struct Feed {
  const std::uint64_t* plane;
  std::int64_t weight;

  // Without a branch: nobody can guess these bits.
  std::int64_t at(std::uint32_t position) const {
    std::uint64_t bit = (plane[position / 64] >> (position % 64)) & 1;
    return weight & -static_cast<std::int64_t>(bit);
  }
};

}  // namespace rankveil
