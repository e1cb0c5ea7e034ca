#include "rankveil/audit/joint.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rankveil::audit {

namespace {

// Vectors back to the classes that have them.
struct Holders {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> classes;

  Holders(std::span<const Held> held, std::uint32_t vectors)
      : begin(vectors + std::size_t{1}, 0), classes(held.size()) {
    for (const Held& one : held) ++begin[one.vector + 1];
    for (std::size_t v = 1; v < begin.size(); ++v) begin[v] += begin[v - 1];
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (const Held& one : held) classes[next[one.vector]++] = one.one;
  }
};

// Tarjan's components, with a stack of its own: groups are too large for recursion. Classes are
// nodes 0 to n - 1, vectors follow.
class Components {
 public:
  Components(const Edges& edges, const Holders& holders)
      : edges_(edges),
        holders_(holders),
        classes_(edges.classes()),
        low_(classes_ + holders.begin.size() - 1, 0),
        number_(low_.size(), unseen),
        component_(low_.size(), unseen) {
    for (std::uint32_t node = 0; node < low_.size(); ++node) {
      if (number_[node] == unseen) walk(node);
    }
  }

  bool together(std::uint32_t one, std::uint32_t vector) const {
    return component_[one] == component_[classes_ + vector];
  }

 private:
  static constexpr std::uint32_t unseen = 0xFFFFFFFF;
  struct Step {
    std::uint32_t node;
    std::size_t next;  // edge to follow
  };

  std::size_t first_edge(std::uint32_t node) const {
    return node < classes_ ? edges_.begin[node] : holders_.begin[node - classes_];
  }
  std::size_t last_edge(std::uint32_t node) const {
    return node < classes_ ? edges_.begin[node + 1] : holders_.begin[node - classes_ + 1];
  }
  std::uint32_t target(std::uint32_t node, std::size_t edge) const {
    return node < classes_ ? classes_ + edges_.vectors[edge] : holders_.classes[edge];
  }

  void enter(std::uint32_t node) {
    number_[node] = low_[node] = next_number_++;
    open_.push_back(node);
    steps_.push_back({node, first_edge(node)});
  }

  void walk(std::uint32_t start) {
    enter(start);
    while (!steps_.empty()) {
      std::uint32_t node = steps_.back().node;
      if (steps_.back().next == last_edge(node)) {
        leave(node);
        continue;
      }
      std::uint32_t to = target(node, steps_.back().next++);
      if (number_[to] == unseen) {
        enter(to);
      } else if (component_[to] == unseen) {
        low_[node] = std::min(low_[node], number_[to]);
      }
    }
  }

  void leave(std::uint32_t node) {
    steps_.pop_back();
    if (!steps_.empty()) {
      std::uint32_t& above = low_[steps_.back().node];
      above = std::min(above, low_[node]);
    }
    if (low_[node] != number_[node]) return;
    for (std::uint32_t member = unseen; member != node;) {
      member = open_.back();
      open_.pop_back();
      component_[member] = node;
    }
  }

  const Edges& edges_;
  const Holders& holders_;
  std::uint32_t classes_;
  std::vector<std::uint32_t> low_, number_, component_;
  std::vector<std::uint32_t> open_;
  std::vector<Step> steps_;
  std::uint32_t next_number_ = 0;
};

}  // namespace

// An edge that the truth uses is in one component with both its ends anyway: there and back.
void keep_possible(std::span<const Held> held, std::uint32_t vectors, Edges& edges) {
  Holders holders(held, vectors);
  Components components(edges, holders);
  std::size_t kept = 0;
  for (std::uint32_t one = 0; one < edges.classes(); ++one) {
    std::size_t begin = edges.begin[one], end = edges.begin[one + 1];
    edges.begin[one] = kept;
    for (std::size_t edge = begin; edge < end; ++edge) {
      if (components.together(one, edges.vectors[edge]))
        edges.vectors[kept++] = edges.vectors[edge];
    }
  }
  edges.begin.back() = kept;
  edges.vectors.resize(kept);
}

namespace {

// Factors that change less are those of the rounds to come.
constexpr double standstill = 1e-10;

// Four sums at once: one would wait for itself.
double sum_of(std::span<const std::uint32_t> vectors, const std::vector<double>& by_vector) {
  std::array<double, 4> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= vectors.size(); i += sums.size()) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += by_vector[vectors[i + k]];
  }
  for (; i < vectors.size(); ++i) sums[0] += by_vector[vectors[i]];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

Balance balanced(const Edges& edges, std::span<const std::uint32_t> class_rows,
                 std::span<const std::uint32_t> vector_counts, int rounds) {
  Balance balance;
  balance.by_class.assign(class_rows.size(), 1);
  balance.by_vector.assign(vector_counts.begin(), vector_counts.end());
  std::vector<double> sums(vector_counts.size());
  for (int round = 0; round < rounds; ++round) {
    std::fill(sums.begin(), sums.end(), 0);
    for (std::uint32_t one = 0; one < edges.classes(); ++one) {
      double sum = sum_of(edges.of(one), balance.by_vector);
      double factor = sum > 0 ? class_rows[one] / sum : 0;
      balance.by_class[one] = factor;
      for (std::uint32_t vector : edges.of(one)) sums[vector] += factor;
    }
    bool still = true;
    for (std::size_t v = 0; v < sums.size(); ++v) {
      double factor = sums[v] > 0 ? vector_counts[v] / sums[v] : 0;
      still &= std::abs(factor - balance.by_vector[v]) <= standstill * balance.by_vector[v];
      balance.by_vector[v] = factor;
    }
    if (still) break;
  }
  return balance;
}

}  // namespace rankveil::audit
