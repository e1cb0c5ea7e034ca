// What rows can have of a value at most, in one bitmap where strengths take several.
//
// Strengths of a value mostly lie about two levels: that of rows which show it, and that of the
// others. So a cut in two bounds them well: rows of the bitmap have at most low + step, the rest at
// most low. A scan adds up these bounds first and looks at the strengths of those rows only that
// come through (excess).
//
// Bounds count in parts of a full match, and steps are powers of two of these: powers of two are
// what kernels add up fastest.
//
// Few rows have more of a value than its bounds say. They are in bitmaps of extras, which bound how
// much more it is in all, whichever values are asked for.
//
// Made from a segment's bitmaps when queries keep coming; it is not part of the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rankveil/ranking/store/planes.h"
#include "rankveil/ranking/store/strength_codes.h"

namespace rankveil {

class StrengthBounds {
 public:
  static constexpr std::uint32_t parts = 16;  // of a full match, and also of a level

  // `full`: levels of a full match. None where strengths have fewer than three bits, or so many
  // rows would come through that it does not pay. `skew` as in DensePlanes.
  static std::optional<StrengthBounds> of(std::span<const AttributePlanes> attributes,
                                          std::uint32_t rows, std::uint32_t full, std::size_t skew);

  // In parts of a level. A step is a power of two parts of a full match.
  struct Bound {
    const std::uint64_t* bitmap;  // null where all rows have the same bound
    std::uint32_t low;
    std::uint32_t step;
    // Per code of the attribute: by how much the bound is above the strength, or, with extras,
    // below it.
    const std::int16_t* excess;
  };
  // Attributes are numbered as they were given.
  std::uint32_t domain_size(std::uint32_t attribute) const { return codes_.domain_size(attribute); }
  Bound bound(std::uint32_t attribute, std::uint32_t value) const;

  struct Extra {
    const std::uint64_t* bitmap;
    std::uint32_t step;  // as in a bound
  };
  const std::vector<Extra>& extras() const { return extras_; }

  // The row's code for each attribute; then the sum of the steps of its extras.
  const std::uint16_t* codes(std::uint32_t position) const { return codes_.row(position); }
  std::uint32_t attributes() const { return codes_.attributes(); }

 private:
  class Maker;
  struct Cut {
    std::uint32_t low;
    std::uint32_t step;
    std::uint32_t from;  // rows with at least this strength are in the bitmap
  };

  explicit StrengthBounds(StrengthCodes codes) : codes_(std::move(codes)) {}

  StrengthCodes codes_;
  std::vector<std::size_t> first_;    // per attribute, its first value
  std::vector<Cut> cuts_;             // per value
  std::vector<std::size_t> starts_;   // per value, where its excess begins
  std::vector<std::int16_t> excess_;  // per value and code
  std::shared_ptr<const DensePlanes> bitmaps_;
  std::vector<Extra> extras_;
};

}  // namespace rankveil
