// Planes of a strength that tell the same are read but once.
//
// A plane may be like another one, or its opposite, or all rows may be in it, or none. The highest
// of those that tell the same counts for all, on top of a constant: a value whose strength is 0 or
// 5, say, takes one plane that counts 5; one whose strength is 3 or 8, one that counts 5, and 3 for
// every row. Where a few rows may come out wrong (they are ranked apart, see exceptional_rows.h),
// planes that are nearly alike are taken for alike, and so on.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/ranking/store/planes.h"

namespace rankveil {

// Strengths of an attribute, in levels: a constant, and what each plane counts. Empty for
// attributes without strengths.
struct StrengthWeights {
  std::vector<std::uint8_t> constants;  // by value
  std::vector<std::uint8_t> planes;     // by value and bit, as AttributePlanes has them
};
using PlaneWeights = std::vector<StrengthWeights>;

// For each plane of a value, what is read in its stead.
class StandIns {
 public:
  // At most `few` of `rows` rows may be told wrong for each plane, and those that `apart` has, a
  // bit a row, which nobody reads.
  StandIns(const AttributePlanes& attribute, std::uint32_t value, std::uint32_t rows,
           std::uint32_t few, const std::uint64_t* apart = nullptr);

  std::uint32_t planes_read() const;
  std::uint8_t constant() const;
  // What each plane counts.
  std::vector<std::uint8_t> weights() const;
  // Rows that are told wrong, but for those apart. They may come several times.
  const std::vector<std::uint32_t>& wrong_rows() const { return wrong_rows_; }

 private:
  struct StandIn {
    std::uint32_t plane;  // the bit of the plane that is read; or none
    bool opposite;        // of it; of none: all rows
  };
  static constexpr std::uint32_t none = UINT32_MAX;

  std::vector<StandIn> read_;  // per bit
  std::vector<std::uint32_t> wrong_rows_;
};

// Of all values, right in all rows.
StrengthWeights plane_weights(const AttributePlanes& attribute, std::uint32_t rows);

}  // namespace rankveil
