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
    // Value by value, per code: by how much the bound is above the strength, or, with extras, below
    // it.
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
