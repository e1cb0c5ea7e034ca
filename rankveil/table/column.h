// One attribute of every row as dictionary codes: a byte a row where the domain allows it.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "rankveil/table/ids.h"

namespace rankveil {

// Codes are the ValueIds themselves; a missing value is the code `domain_size`. Two bytes a row
// only when domain_size + (any row missing) does not fit one.
class Column {
 public:
  Column() = default;
  // REQUIRES: every value < domain_size, or missing_value.
  Column(std::uint32_t domain_size, std::span<const ValueId> values);
  // REQUIRES: every code <= domain_size.
  Column(std::uint32_t domain_size, std::vector<std::uint8_t> codes)
      : domain_size_(domain_size), codes_(std::move(codes)) {}
  Column(std::uint32_t domain_size, std::vector<std::uint16_t> codes)
      : domain_size_(domain_size), codes_(std::move(codes)) {}

  std::size_t size() const;
  std::uint32_t domain_size() const { return domain_size_; }
  std::size_t bytes() const { return size() * (is_narrow() ? 1 : 2); }

  ValueId value(RowId row) const {
    std::uint32_t code = is_narrow() ? narrow()[+row] : wide()[+row];
    return code == domain_size_ ? missing_value : ValueId{static_cast<std::uint16_t>(code)};
  }

  bool is_narrow() const { return std::holds_alternative<std::vector<std::uint8_t>>(codes_); }
  const std::vector<std::uint8_t>& narrow() const {
    return *std::get_if<std::vector<std::uint8_t>>(&codes_);
  }
  const std::vector<std::uint16_t>& wide() const {
    return *std::get_if<std::vector<std::uint16_t>>(&codes_);
  }

  // Calls visit(row number, code) for every row with a value, in row order.
  template <typename Visit>
  void for_each(Visit visit) const {
    std::visit(
        [&](const auto& codes) {
          for (std::size_t row = 0; row < codes.size(); ++row) {
            if (codes[row] != domain_size_) visit(row, std::uint32_t{codes[row]});
          }
        },
        codes_);
  }

 private:
  std::uint32_t domain_size_ = 0;
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>> codes_;
};

}  // namespace rankveil
