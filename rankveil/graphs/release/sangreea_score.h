// What both forms of SaNGreeA agree on: how a node is judged.
#pragma once

#include <cstdint>

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

// Whether mean difference a / m is below b / n, exactly.
inline bool nearer(std::int64_t a, std::size_t m, std::int64_t b, std::size_t n) {
  return static_cast<__int128>(a) * static_cast<__int128>(n) <
         static_cast<__int128>(b) * static_cast<__int128>(m);
}

}  // namespace rankveil::graph
