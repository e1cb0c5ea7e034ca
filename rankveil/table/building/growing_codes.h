// Dictionary codes of a column in the making: a byte a row until a code needs two.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "rankveil/table/column.h"

namespace rankveil {

class GrowingCodes {
 public:
  // What a row without a value appends.
  static constexpr std::uint16_t missing = 0xFFFF;

  // REQUIRES: every code < `domain_size` <= largest_domain, or `missing`; `domain_size` never
  // shrinks from one call to the next.
  void append(std::span<const std::uint16_t> codes, std::uint32_t domain_size);

  std::size_t size() const;
  std::size_t missing_rows() const { return missing_rows_; }
  // Rows with each code.
  std::vector<std::uint64_t> count(std::uint32_t domain_size) const;

  // The column in which code c of the rows has become `order[c]`.
  // REQUIRES: `order` is a permutation of the domain's numbers.
  Column finish(const std::vector<std::uint16_t>& order) &&;

 private:
  using Narrow = std::vector<std::uint8_t>;
  using Wide = std::vector<std::uint16_t>;

  void widen();

  std::variant<Narrow, Wide> codes_;
  std::size_t missing_rows_ = 0;
};

}  // namespace rankveil
