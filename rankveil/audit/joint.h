// Who can have which private vector, when every vector of a group is somebody's.
//
// Rows with the same profiles form a class; equal vectors count together. An edge says that a
// vector fits the profiles of a class. The truth is one way to hand out all vectors; the others
// differ from it by cycles. So an edge is part of some way to hand them out when it is used by the
// truth, or when both its ends lie in one strongly connected component of: classes to the vectors
// that fit them, vectors back to the classes that have them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rankveil::audit {

struct Edges {
  std::vector<std::size_t> begin = {0};  // per class, and one more
  std::vector<std::uint32_t> vectors;    // ascending for each class

  std::uint32_t classes() const { return static_cast<std::uint32_t>(begin.size() - 1); }
  std::span<const std::uint32_t> of(std::uint32_t one) const {
    return std::span(vectors).subspan(begin[one], begin[one + 1] - begin[one]);
  }
  bool has(std::uint32_t one, std::uint32_t vector) const;
};

// A row of some class has some vector.
struct Held {
  std::uint32_t one;  // class
  std::uint32_t vector;
};

// Drops edges that no way to hand out all vectors uses. Linear in the number of edges.
// REQUIRES: every `held` is an edge.
void keep_possible(std::span<const Held> held, std::uint32_t vectors, Edges& edges);

// Weights of edges, each starting at 1, scaled by turns until the weights of a class sum to its
// rows and those of a vector to its count: near the share of ways to hand out vectors that use the
// edge.
std::vector<double> balanced(const Edges& edges, std::span<const std::uint32_t> class_rows,
                             std::span<const std::uint32_t> vector_counts, int rounds = 30);

}  // namespace rankveil::audit
