// Rows whose strengths are nearly all alike: 0, or what most rows have of the value.
//
// Equivalent sets of two, say, give every value of a pair the strength 1/2; only where a group has
// an odd number of rows, three share theirs and have 1/3 and 2/3. Then one bitmap a value says all
// there is to say of nearly every row, and one more tells the others, which are scored bit by bit.
//
// Made from a segment's bitmaps when queries keep coming; it is not part of the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rankveil/ranking/planes.h"

namespace rankveil {

class RegularRows {
 public:
  // None where strengths have fewer than three bits, a domain is so large that its values are kept
  // as lists of rows, or too many rows are not regular. `skew` as in DensePlanes.
  static std::optional<RegularRows> of(std::span<const AttributePlanes> attributes,
                                       std::uint32_t rows, std::size_t skew);

  // Attributes are numbered as they were given.
  std::uint32_t domain_size(std::uint32_t attribute) const {
    return first_[attribute + 1] - first_[attribute];
  }
  // The strength of a value in regular rows of its bitmap, which has all rows with some strength.
  std::uint32_t level(std::uint32_t attribute, std::uint32_t value) const {
    return levels_[first_[attribute] + value];
  }
  const std::uint64_t* bitmap(std::uint32_t attribute, std::uint32_t value) const {
    return bitmaps_->plane(first_[attribute] + value);
  }

  // Rows that are not regular.
  const std::uint64_t* others() const { return bitmaps_->plane(levels_.size()); }
  bool is_other(std::uint32_t position) const {
    return (others()[position / 64] >> (position % 64)) & 1;
  }
  // What other rows may have beyond their bitmaps, whichever value of each attribute is asked for:
  // no more than the sum of these steps over the bitmaps that the row is in.
  struct Extra {
    const std::uint64_t* bitmap;
    std::uint32_t steps;
  };
  const std::vector<Extra>& extras() const { return extras_; }

  std::size_t bytes() const;

 private:
  class Maker;

  std::uint32_t rows_ = 0;
  std::vector<std::uint32_t> first_;   // per attribute, its first value; one more at the end
  std::vector<std::uint32_t> levels_;  // per value
  std::shared_ptr<const DensePlanes> bitmaps_;
  std::vector<Extra> extras_;
};

}  // namespace rankveil
