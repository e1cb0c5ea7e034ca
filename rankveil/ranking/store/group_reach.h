// Which values the rows of a group have at all.
//
// Rows of a group have much in common: schemes hide a row among others with the same public values.
// So there is one bitmap more for each value, over groups, of those in which any row has it. Added
// up as a query's planes are (reach_sums in summing.h), they bound the sums of all rows of a group
// at once, and a scan passes over groups that cannot get into its answer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankveil/ranking/store/planes.h"

namespace rankveil {

struct GroupReach {
  // A line of very small runs would be passed over only if none of them reaches enough.
  static constexpr std::uint32_t min_rows_a_run = 64;

  // As the segment's, but places instead of positions.
  std::vector<AttributePlanes> attributes;
  std::uint32_t places = 0;

  // place_of[p]: the place of position p, below `places`. None where groups have nearly all values,
  // so that no query would gain.
  static std::optional<GroupReach> of(std::span<const AttributePlanes> attributes,
                                      const std::vector<std::uint32_t>& place_of,
                                      std::uint32_t places);
};

}  // namespace rankveil
