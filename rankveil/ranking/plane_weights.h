// Planes of a strength that are alike are read but once.
//
// The first of them counts for all. A value whose strength is 0 or 5, say, takes one plane that
// counts 5. Where a few rows may come out wrong (they are ranked apart, see exceptional_rows.h),
// planes that are nearly alike are taken for alike, and nearly empty ones for empty.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/ranking/planes.h"

namespace rankveil {

// What each plane of each attribute counts, in levels; empty for attributes without strengths.
using PlaneWeights = std::vector<std::vector<std::uint8_t>>;

// For each plane of a value, the one that is read in its stead: itself, a lower one, or none.
class StandIns {
 public:
  // Planes are alike, or empty, when at most `few` of `rows` rows say otherwise.
  StandIns(const AttributePlanes& attribute, std::uint32_t value, std::uint32_t rows,
           std::uint32_t few);

  std::uint32_t planes_read() const;
  // What each plane counts.
  std::vector<std::uint8_t> weights() const;
  // Those in which that is wrong. They may come several times.
  const std::vector<std::uint32_t>& wrong_rows() const { return wrong_rows_; }

 private:
  static constexpr std::uint8_t none = 255;
  std::vector<std::uint8_t> read_;  // per bit
  std::vector<std::uint32_t> wrong_rows_;
};

// Of all values, right in all rows.
std::vector<std::uint8_t> plane_weights(const AttributePlanes& attribute, std::uint32_t rows);

}  // namespace rankveil
