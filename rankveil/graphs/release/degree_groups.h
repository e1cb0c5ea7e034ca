// Degrees in groups of at least k, so that each group can be given one degree (Liu and Terzi).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rankveil::graph {

// What a group is given.
enum class GroupDegree {
  Highest,  // its highest degree: edges are only added
  Median,   // its middle one: edges are added and deleted, and fewer change
};

// Ranges of a falling list of degrees, one behind the other; each ends where the next begins.
struct DegreeGroups {
  std::vector<std::uint32_t> ends;
  std::uint64_t cost = 0;  // the sum of |given degree - degree|

  friend bool operator==(const DegreeGroups&, const DegreeGroups&) = default;
};

// The cheapest groups, by a dynamic program in degrees * k steps. Of equally cheap ones, those
// whose last group is shortest. REQUIRES: falling degrees, 2 <= k <= how many there are.
DegreeGroups cheapest_groups(std::span<const std::uint32_t> falling, std::uint32_t k,
                             GroupDegree degree);

// The same from the recursion without a limit on group sizes, in degrees^2 steps. For tests.
DegreeGroups cheapest_groups_plainly(std::span<const std::uint32_t> falling, std::uint32_t k,
                                     GroupDegree degree);

// Groups made from the top in one pass: a degree joins the group when that is no dearer than to
// start one with it. Groups of 2k or more are then cut, which never costs more.
DegreeGroups greedy_groups(std::span<const std::uint32_t> falling, std::uint32_t k,
                           GroupDegree degree);

// What each place of the list is given.
std::vector<std::uint32_t> given_degrees(std::span<const std::uint32_t> falling,
                                         const DegreeGroups& groups, GroupDegree degree);

}  // namespace rankveil::graph
