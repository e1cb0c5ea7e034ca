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
  std::vector<std::uint32_t> vectors;    // for each class in any order

  std::uint32_t classes() const { return static_cast<std::uint32_t>(begin.size() - 1); }
  std::span<const std::uint32_t> of(std::uint32_t one) const {
    return std::span(vectors).subspan(begin[one], begin[one + 1] - begin[one]);
  }
};

// A row of some class has some vector.
struct Held {
  std::uint32_t one;  // class
  std::uint32_t vector;
};

// Drops edges that no way to hand out all vectors uses. Linear in the number of edges.
// REQUIRES: every `held` is an edge.
void keep_possible(std::span<const Held> held, std::uint32_t vectors, Edges& edges);

// Factors of classes and vectors. An edge weighs the product of those of its ends.
struct Balance {
  std::vector<double> by_class;
  std::vector<double> by_vector;
};

// Scales by turns until the weights of a class sum to its rows and those of a vector to its count:
// near the share of ways to hand out vectors that use the edge.
Balance balanced(const Edges& edges, std::span<const std::uint32_t> class_rows,
                 std::span<const std::uint32_t> vector_counts, int rounds = 30);

}  // namespace rankveil::audit
