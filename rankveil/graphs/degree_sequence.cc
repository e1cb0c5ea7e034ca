#include "rankveil/graphs/degree_sequence.h"

#include <algorithm>
#include <vector>

namespace rankveil::graph {

namespace {

// Nodes by remaining degree, rising, with the start of each degree's block: lowering the last node
// of a block by one is a swap with the first one, since the block then begins one later.
class Remaining {
 public:
  explicit Remaining(std::span<const std::uint32_t> degrees)
      : left_(degrees.begin(), degrees.end()), order_(degrees.size()) {
    std::uint32_t most = degrees.empty() ? 0 : *std::max_element(degrees.begin(), degrees.end());
    starts_.assign(most + 2, 0);
    for (std::uint32_t degree : degrees) ++starts_[degree + 1];
    for (std::uint32_t i = 0; i <= most; ++i) starts_[i + 1] += starts_[i];
    auto places = starts_;
    for (Node node = 0; node < degrees.size(); ++node) {
      order_[places[degrees[node]]++] = node;
    }
  }

  // Takes the node of largest degree out; who it is joined to comes into `joined`. False when there
  // are too few others with degree left.
  bool join_largest(Node& node, std::vector<Node>& joined) {
    node = order_[--end_];
    std::uint32_t wanted = left_[node];
    joined.clear();
    if (wanted > end_) return false;
    // From the lowest block up, the first of each: so no block is entered twice by one node.
    std::size_t from = end_ - wanted;
    while (from < end_) {
      std::uint32_t degree = left_[order_[from]];
      if (degree == 0) return false;
      std::size_t begin = starts_[degree];
      std::size_t after = degree + 1 < starts_.size() ? std::min(starts_[degree + 1], end_) : end_;
      std::size_t count = after - from;
      for (std::size_t i = 0; i < count; ++i) {
        Node other = order_[begin + i];
        joined.push_back(other);
        left_[other] = degree - 1;
      }
      starts_[degree] = begin + count;
      from = after;
    }
    return true;
  }
  bool done() const { return end_ == 0; }

 private:
  std::vector<std::uint32_t> left_;
  std::vector<Node> order_;
  std::vector<std::size_t> starts_;
  std::size_t end_ = order_.size();
};

}  // namespace

bool is_graphical(std::span<const std::uint32_t> degrees) {
  std::vector<std::uint32_t> falling(degrees.begin(), degrees.end());
  std::sort(falling.rbegin(), falling.rend());
  std::size_t count = falling.size();
  std::uint64_t sum = 0;
  for (std::uint32_t degree : falling) sum += degree;
  if (sum % 2 != 0 || (count > 0 && falling[0] >= count)) return false;
  std::vector<std::uint64_t> rest(count + 1, 0);  // sums of the degrees from a place on
  for (std::size_t i = count; i > 0; --i) rest[i - 1] = rest[i] + falling[i - 1];
  std::size_t above = count;  // how many degrees are at least l
  for (std::size_t l = 1; l <= count; ++l) {
    while (above > 0 && falling[above - 1] < l) --above;
    std::size_t split = std::max(above, l);
    std::uint64_t right = l * (l - 1) + l * (split - l) + rest[split];
    if (rest[0] - rest[l] > right) return false;
  }
  return true;
}

std::optional<Graph> construct_graph(std::span<const std::uint32_t> degrees) {
  std::vector<Edge> edges;
  std::vector<Node> joined;
  Remaining remaining(degrees);
  while (!remaining.done()) {
    Node node = 0;
    if (!remaining.join_largest(node, joined)) return std::nullopt;
    for (Node other : joined) edges.emplace_back(node, other);
  }
  return Graph::from_edges(static_cast<Node>(degrees.size()), edges);
}

}  // namespace rankveil::graph
