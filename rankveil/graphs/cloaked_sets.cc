#include "rankveil/graphs/cloaked_sets.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>

#include "rankveil/base/format.h"

namespace rankveil::graph {

CloakedSets::CloakedSets(Node nodes, const std::vector<std::vector<Node>>& sets)
    : set_of_(nodes, UINT32_MAX) {
  members_.reserve(nodes);
  offsets_.reserve(sets.size() + 1);
  for (const auto& set : sets) {
    assert(!set.empty() && "a cloaked set has members");
    for (Node node : set) {
      assert(node < nodes && set_of_[node] == UINT32_MAX && "a node is in one set");
      set_of_[node] = size();
    }
    members_.insert(members_.end(), set.begin(), set.end());
    offsets_.push_back(members_.size());
  }
  assert(members_.size() == nodes && "every node is in a set");
}

std::uint32_t CloakedSets::smallest() const {
  std::size_t least = size() == 0 ? 0 : SIZE_MAX;
  for (std::uint32_t set = 0; set < size(); ++set) least = std::min(least, members(set).size());
  return static_cast<std::uint32_t>(least);
}

std::uint32_t CloakedSets::largest() const {
  std::size_t most = 0;
  for (std::uint32_t set = 0; set < size(); ++set) most = std::max(most, members(set).size());
  return static_cast<std::uint32_t>(most);
}

Status check_k(std::uint32_t k, Node nodes) {
  if (k < 2) {
    return wrong_use(fmt::format("k is {}; nobody hides alone, so take 2 or more", k));
  }
  if (k > nodes) {
    return wrong_use(fmt::format("k is {}, but the graph has {}; take at most {}", grouped(k),
                                 counted(nodes, "node"), grouped(nodes)));
  }
  return {};
}

}  // namespace rankveil::graph
