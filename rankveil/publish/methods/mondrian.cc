#include "rankveil/publish/methods/mondrian.h"

#include <algorithm>
#include <numeric>

namespace rankveil::publish {

namespace {

using Part = std::vector<Point>;

class Splitter {
 public:
  Splitter(const Round& round, const Part& all)
      : field_(round.field), k_(round.demand.k), whole_(field_.box(field_.edges_around(all))) {}

  void split(Part part, std::vector<Part>& parts) const {
    for (std::size_t dimension : widest_first(part)) {
      auto [low, high] = halves(part, dimension);
      if (low.size() < k_ || high.size() < k_) continue;
      split(std::move(low), parts);
      split(std::move(high), parts);
      return;
    }
    parts.push_back(std::move(part));
  }

 private:
  std::vector<std::size_t> widest_first(const Part& part) const {
    Box box = field_.box(field_.edges_around(part));
    std::vector<double> widths;
    for (std::size_t d = 0; d < field_.dimensions(); ++d) {
      double range = whole_.high[d] - whole_.low[d];
      widths.push_back(range > 0 ? (box.high[d] - box.low[d]) / range : 0);
    }
    std::vector<std::size_t> order(widths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return widths[a] > widths[b]; });
    return order;
  }

  // At most the median, and above it: equal values stay together.
  std::pair<Part, Part> halves(const Part& part, std::size_t dimension) const {
    std::vector<std::uint32_t> ranks;
    for (Point point : part) ranks.push_back(field_.rank(dimension, point));
    auto middle = ranks.begin() + static_cast<std::ptrdiff_t>((ranks.size() - 1) / 2);
    std::nth_element(ranks.begin(), middle, ranks.end());
    std::pair<Part, Part> result;
    for (Point point : part) {
      bool low = field_.rank(dimension, point) <= *middle;
      (low ? result.first : result.second).push_back(point);
    }
    return result;
  }

  const Field& field_;
  std::uint32_t k_;
  Box whole_;
};

}  // namespace

Selected mondrian(const Round& round) {
  Part all = round.field.left_positives();
  std::vector<Part> parts;
  Splitter(round, all).split(all, parts);
  Selected selected;
  for (const Part& part : parts) {
    Edges edges = round.field.edges_around(part);
    if (round.accepts(round.counter->count(edges))) selected.selections.push_back({edges});
  }
  return selected;
}

}  // namespace rankveil::publish
