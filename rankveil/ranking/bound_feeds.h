// A query's planes where nearly all rows are regular (regular_rows.h): fewer planes to add up, that
// count right for regular rows, and never too little for the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/ranking/feed.h"
#include "rankveil/ranking/regular_rows.h"

namespace rankveil {

class BoundFeeds {
 public:
  // Whether queries for these are bounded: not those for several values of an attribute, which may
  // count several of a row's strengths.
  static bool fit(std::span<const Wish> wishes, std::uint32_t first_private);

  // `units`: the feeds of attributes without strengths. Attributes from `first_private` on are
  // those of `rows`, which has to outlive this.
  BoundFeeds(std::span<const Feed> units, std::span<const Wish> wishes, std::uint32_t first_private,
             const RegularRows& rows);

  const std::vector<Feed>& feeds() const { return feeds_; }
  // Whether the feeds give the row's score.
  bool are_right(std::uint32_t position) const { return !rows_->is_other(position); }

 private:
  const RegularRows* rows_;
  std::vector<Feed> feeds_;
};

}  // namespace rankveil
