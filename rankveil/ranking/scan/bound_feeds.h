// A query's planes where strengths are bounded in one bitmap a value (strength_bounds.h): fewer to
// add up, and what they count too much can be taken away row by row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/ranking/scan/feed.h"
#include "rankveil/ranking/store/strength_bounds.h"

namespace rankveil {

class BoundFeeds {
 public:
  // Whether queries for these are bounded: not those for several values of an attribute, which may
  // count several of a row's strengths.
  static bool fit(std::span<const Wish> wishes, std::uint32_t first_private);

  // `units`: the feeds of attributes without strengths. Attributes from `first_private` on are
  // those of `bounds`, which has to outlive this.
  BoundFeeds(std::span<const Feed> units, std::span<const Wish> wishes, std::uint32_t first_private,
             const StrengthBounds& bounds);

  // A row's score is what these count, and the constant, less the row's excess.
  const std::vector<Feed>& feeds() const { return feeds_; }
  std::int64_t constant() const { return constant_; }
  std::int64_t excess(std::uint32_t position) const;
  // Asks for what excess(position) will need: it may have to come from far.
  void prefetch(std::uint32_t position) const {
    const std::uint16_t* codes = bounds_->codes(position);
    __builtin_prefetch(codes);
    __builtin_prefetch(codes + bounds_->attributes());  // which may be in the next cache line
  }
  std::int64_t score(std::uint32_t position) const;

 private:
  struct Part {
    std::uint32_t attribute;
    const std::int16_t* excess;  // per code
    std::int64_t weight;
  };

  const StrengthBounds* bounds_;
  std::vector<Feed> feeds_;
  std::int64_t constant_ = 0;
  std::vector<Part> parts_;
  std::int64_t extra_weight_ = 0;
};

}  // namespace rankveil
