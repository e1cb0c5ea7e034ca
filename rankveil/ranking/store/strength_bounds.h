// What a row can have of a value at most, in one bitmap a value where strengths take several.
//
// A query for ten attributes with strengths of four bits reads 40 bitmaps. Most strengths of a
// value lie about two levels: that of rows which show the value, and that of the others. So a cut
// in two bounds them well:
//
//   bound(r) = low + step   if bit r of the value's bitmap is set, else low.
//
// A scan adds up bounds, one bitmap a value, and looks at the strengths only of rows that come
// through. Strengths of one value in eight rows, cut at 4, with low = 4 and step = 8:
//
//   row         0  1  2  3  4  5  6  7
//   strength    3  2 11  3 12  2  3 10     four bitmaps
//   bitmap      0  0  1  0  1  0  0  1     strength >= 4
//   bound       4  4 12  4 12  4  4 12
//   excess      1  2  1  1  0  2  1  2     bound - strength
//
// For a floor of 11 rows 2, 4 and 7 come through; less their excess they have 11, 12 and 10, so row
// 7 goes. The excess of a row is found by its code: rows that have the same strengths of all values
// of an attribute have the same code (strength_codes.h), and excess is a table by value and code.
//
// At most one row in 256 may exceed the bound of a value; its excess is negative. Such rows are in
// up to two bitmaps of extras, which every query adds: they bound how much more a row has in all,
// whichever values are asked for.
//
// Bounds count in parts, 16 to a level, and steps are powers of two times 1/16 of a full match:
// kernels add up powers of two fastest.
//
// Invariant, for any query that asks for at most one value an attribute, with weights of levels:
//   sum of bounds + extras(r) - (sum of excess(r) + extras(r)) = sum of strengths of r, exactly,
//   and sum of bounds + extras(r) >= sum of strengths of r.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rankveil/ranking/store/block.h"
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
  struct Cut {
    std::uint32_t low;
    std::uint32_t step;
  };
  struct Extra {
    const std::uint64_t* bitmap;
    std::uint32_t step;
  };
  struct Attribute {
    Block<Cut> cuts;  // per value
    std::vector<const std::uint64_t*>
        bitmaps;  // per value; null where all rows have the same bound
    // [value][code]: bound - strength; negative where the strength exceeds the bound.
    Block<std::int16_t> excess;

    std::size_t codes() const { return cuts.size() == 0 ? 0 : excess.size() / cuts.size(); }
  };
  // What there is of them in memory and in files.
  struct Parts {
    std::uint32_t rows = 0;
    std::vector<Attribute> attributes;
    std::vector<Extra> extras;
    // Row by row: the code of each attribute, then the sum of the steps of its extras.
    Block<std::uint16_t> codes;
    std::vector<std::shared_ptr<const void>> owners;  // of the bitmaps
  };

  // REQUIRES: parts that fit each other: no code of a row is above those of its attribute.
  explicit StrengthBounds(Parts all) : all_(std::move(all)) {}
  const Parts& all() const { return all_; }

  struct Bound {
    const std::uint64_t* bitmap;
    std::uint32_t low;
    std::uint32_t step;
    const std::int16_t* excess;  // per code
  };
  // Attributes are numbered as they were given.
  std::uint32_t domain_size(std::uint32_t attribute) const {
    return static_cast<std::uint32_t>(all_.attributes[attribute].cuts.size());
  }
  Bound bound(std::uint32_t attribute, std::uint32_t value) const;
  const std::vector<Extra>& extras() const { return all_.extras; }
  const std::uint16_t* codes(std::uint32_t position) const {
    return all_.codes.items().data() + position * (all_.attributes.size() + 1);
  }
  std::uint32_t attributes() const { return static_cast<std::uint32_t>(all_.attributes.size()); }
  std::size_t bytes() const;

 private:
  class Maker;

  Parts all_;
};

}  // namespace rankveil
