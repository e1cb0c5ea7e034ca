#include "rankveil/ranking/store/group_reach.h"

#include <bit>

#include "rankveil/base/bits.h"
#include "rankveil/ranking/store/moved_planes.h"

namespace rankveil {

namespace {

// Keep the planes only if groups have no row for at least 1/4 of all wishes, on the average: else
// hardly any group is left out.
constexpr double wishes_per_gap = 4;

std::uint64_t count_rows(const Plane& plane, std::size_t rows) {
  if (plane.bits == nullptr) return plane.rows.size();
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < (rows + 63) / 64; ++i) {
    count += static_cast<std::uint64_t>(std::popcount(plane.bits[i]));
  }
  return count;
}

// The share of rows in places where the plane has any.
double share_reached(const Plane& plane, const std::vector<std::uint32_t>& rows_at, double rows) {
  std::uint64_t reached = 0;
  for (std::uint32_t place : plane.rows) reached += rows_at[place];
  std::size_t words = plane.bits == nullptr ? 0 : (rows_at.size() + 63) / 64;
  for_each_set_bit(plane.bits, words, [&](std::size_t place) { reached += rows_at[place]; });
  return static_cast<double>(reached) / rows;
}

// How many wishes a group has no row for, if they are drawn as the values of rows are.
double gap(std::span<const AttributePlanes> attributes, const GroupReach& reach,
           const std::vector<std::uint32_t>& place_of) {
  std::vector<std::uint32_t> rows_at(reach.places, 0);
  for (std::uint32_t place : place_of) ++rows_at[place];
  auto rows = static_cast<double>(place_of.size());
  double gap = 0;
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    double asked = 0;
    double missed = 0;
    for (std::size_t p = 0; p < attributes[a].planes.size(); ++p) {
      if (attributes[a].planes[p].is_empty()) continue;
      auto often = static_cast<double>(count_rows(attributes[a].planes[p], place_of.size()));
      asked += often;
      missed += often * (1 - share_reached(reach.attributes[a].planes[p], rows_at, rows));
    }
    if (asked > 0) gap += missed / asked;
  }
  return gap;
}

}  // namespace

std::optional<GroupReach> GroupReach::of(std::span<const AttributePlanes> attributes,
                                         const std::vector<std::uint32_t>& place_of,
                                         std::uint32_t places) {
  GroupReach made{moved_planes(attributes, place_of, places, 0), places};
  auto wishes = static_cast<double>(attributes.size());
  if (gap(attributes, made, place_of) * wishes_per_gap < wishes) return std::nullopt;
  return made;
}

}  // namespace rankveil
