// What models look at: the values of columns as features, where enough rows have them.
//
// A value that at least `min_support` rows have is a feature of its own; rarer ones are none, so
// that no model remembers a few people. Values with an order (numbers, bins) are joined with their
// neighbours until enough rows have them, and help each other. Missing is a value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/base/fit/multinomial.h"
#include "rankveil/table/column.h"
#include "rankveil/table/domain.h"

namespace rankveil::fitted {

inline constexpr std::uint32_t min_support = 21;

// Codes of a column, whatever it is kept in: values, and the domain's size for a missing one.
class Codes {
 public:
  explicit Codes(const Column& column);
  explicit Codes(const std::vector<std::uint16_t>& codes) : wide_(codes.data()) {}

  std::uint32_t operator[](std::uint32_t row) const {
    return narrow_ != nullptr ? narrow_[row] : wide_[row];
  }

 private:
  const std::uint8_t* narrow_ = nullptr;
  const std::uint16_t* wide_ = nullptr;
};

// Numbers, or the bins of numbers: "<18", "18-25", ..., ">=50".
bool has_order(const Domain& domain);

// The feature of each code of a column.
struct FeatureMap {
  std::uint32_t features = 0;
  std::uint32_t ordered = 0;
  std::vector<std::uint16_t> of_code;

  std::uint16_t operator[](std::uint32_t code) const { return of_code[code]; }
};

// `rows`: those that are counted.
FeatureMap feature_map(const Codes& codes, const Domain& domain,
                       std::span<const std::uint32_t> rows);

FeatureColumn feature_column(const Codes& codes, const FeatureMap& map,
                             std::span<const std::uint32_t> rows);

}  // namespace rankveil::fitted
