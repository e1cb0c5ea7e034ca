#include "rankveil/graphs/release/degree_groups.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace rankveil::graph {

namespace {

constexpr std::uint64_t unreachable = std::numeric_limits<std::uint64_t>::max();

// The cost of a range in constant time, from sums of the degrees before each place.
class RangeCost {
 public:
  RangeCost(std::span<const std::uint32_t> falling, GroupDegree degree)
      : falling_(falling), degree_(degree), sums_(falling.size() + 1, 0) {
    for (std::size_t i = 0; i < falling.size(); ++i) sums_[i + 1] = sums_[i] + falling[i];
  }

  std::uint64_t operator()(std::size_t first, std::size_t end) const {
    if (degree_ == GroupDegree::Highest) {
      return std::uint64_t{falling_[first]} * (end - first) - (sums_[end] - sums_[first]);
    }
    std::size_t middle = first + (end - first) / 2;
    std::uint64_t median = falling_[middle];
    return (sums_[middle] - sums_[first]) - median * (middle - first) + median * (end - middle) -
           (sums_[end] - sums_[middle]);
  }

 private:
  std::span<const std::uint32_t> falling_;
  GroupDegree degree_;
  std::vector<std::uint64_t> sums_;
};

// `longest`: the largest group that is tried. Optimal groups never need 2k members or more: such a
// group can be cut in two without raising its cost.
DegreeGroups cheapest(std::span<const std::uint32_t> falling, std::uint32_t k, GroupDegree degree,
                      std::size_t longest) {
  assert(k >= 2 && k <= falling.size() && "a group has k members");
  RangeCost cost(falling, degree);
  std::vector<std::uint64_t> least(falling.size() + 1, unreachable);
  std::vector<std::uint32_t> start(falling.size() + 1, 0);
  least[0] = 0;
  for (std::size_t end = k; end <= falling.size(); ++end) {
    for (std::size_t size = k; size <= std::min(longest, end); ++size) {  // short ones win ties
      std::size_t first = end - size;
      if (least[first] == unreachable) continue;
      std::uint64_t sum = least[first] + cost(first, end);
      if (sum < least[end]) {
        least[end] = sum;
        start[end] = static_cast<std::uint32_t>(first);
      }
    }
  }
  DegreeGroups groups;
  groups.cost = least.back();
  for (auto end = static_cast<std::uint32_t>(falling.size()); end > 0; end = start[end]) {
    groups.ends.push_back(end);
  }
  std::reverse(groups.ends.begin(), groups.ends.end());
  return groups;
}

}  // namespace

DegreeGroups cheapest_groups(std::span<const std::uint32_t> falling, std::uint32_t k,
                             GroupDegree degree) {
  return cheapest(falling, k, degree, 2 * std::size_t{k} - 1);
}

DegreeGroups cheapest_groups_plainly(std::span<const std::uint32_t> falling, std::uint32_t k,
                                     GroupDegree degree) {
  return cheapest(falling, k, degree, falling.size());
}

namespace {

// Groups of 2k or more are cut into pieces of k, the last of which is longer. That never costs
// more, and keeps sets small where many have the same degree.
void cut_large(std::uint32_t k, DegreeGroups& groups) {
  std::vector<std::uint32_t> ends;
  std::uint32_t first = 0;
  for (std::uint32_t end : groups.ends) {
    for (; end - first >= 2 * k; first += k) ends.push_back(first + k);
    ends.push_back(end);
    first = end;
  }
  groups.ends = std::move(ends);
}

}  // namespace

DegreeGroups greedy_groups(std::span<const std::uint32_t> falling, std::uint32_t k,
                           GroupDegree degree) {
  assert(k >= 2 && k <= falling.size() && "a group has k members");
  RangeCost cost(falling, degree);
  DegreeGroups groups;
  std::size_t count = falling.size();
  std::size_t first = 0;
  for (std::size_t next = k; next + k <= count;) {
    std::uint64_t difference = degree == GroupDegree::Highest
                                   ? falling[first] - falling[next]
                                   : cost(first, next + 1) - cost(first, next);
    std::uint64_t merge = difference + cost(next + 1, std::min(next + 1 + k, count));
    if (merge > cost(next, next + k)) {
      groups.ends.push_back(static_cast<std::uint32_t>(next));
      first = next;
      next += k;
    } else {
      ++next;
    }
  }
  groups.ends.push_back(static_cast<std::uint32_t>(count));
  cut_large(k, groups);
  first = 0;
  for (std::uint32_t end : groups.ends) groups.cost += cost(std::exchange(first, end), end);
  return groups;
}

std::vector<std::uint32_t> given_degrees(std::span<const std::uint32_t> falling,
                                         const DegreeGroups& groups, GroupDegree degree) {
  std::vector<std::uint32_t> given;
  given.reserve(falling.size());
  for (std::uint32_t end : groups.ends) {
    std::size_t first = given.size();
    std::size_t place = degree == GroupDegree::Highest ? first : first + (end - first) / 2;
    given.resize(end, falling[place]);
  }
  return given;
}

}  // namespace rankveil::graph
