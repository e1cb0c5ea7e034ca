// What both forms of SaNGreeA agree on: how a node is judged.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/graphs/release/sangreea.h"

namespace rankveil::graph {

Status check(const Graph& graph, const SangreeaOptions& options);

// Less is better. `differences` is the sum, over `members` members, of the nodes that just one of
// both knows; `loss` what the attributes of all of them blur. A term that does not count is left
// out, so that without attributes the order is that of whole numbers.
inline double judged(const Graph& graph, const SangreeaOptions& options, std::int64_t differences,
                     std::size_t members, double loss) {
  double others = graph.nodes() > 2 ? graph.nodes() - 2.0 : 1.0;
  double distance = static_cast<double>(differences) / (static_cast<double>(members) * others);
  if (options.alpha == 0) return distance;
  double blurred = loss / static_cast<double>(options.attributes->size());
  return options.alpha * blurred + options.beta * distance;
}

// What the attributes of a set and one more node blur.
inline double loss_with(Blur& blur, const std::vector<Node>& set, Node node) {
  blur.clear();
  for (Node member : set) blur.add(member);
  return blur.loss_with(node);
}

// A set that a node may join.
struct Joining {
  std::int64_t differences = 0;
  std::size_t members = 0;
  double loss = 0;
};

// Whether a node had better join `a` than `b`. Without attributes exactly: mean differences are
// compared as fractions.
inline bool is_nearer(const Graph& graph, const SangreeaOptions& options, const Joining& a,
                      const Joining& b) {
  if (options.alpha == 0) {
    return static_cast<__int128>(a.differences) * static_cast<__int128>(b.members) <
           static_cast<__int128>(b.differences) * static_cast<__int128>(a.members);
  }
  return judged(graph, options, a.differences, a.members, a.loss) <
         judged(graph, options, b.differences, b.members, b.loss);
}

}  // namespace rankveil::graph
