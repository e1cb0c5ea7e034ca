#include "rankveil/publish/methods/insertion.h"

#include <algorithm>

namespace rankveil::publish {

Growth::Growth(const Round& round) : round_(round), outside_(round.field.left_positives()) {}

Edges Growth::edges_with(Point point) const {
  if (!edges_) return round_.field.edges_around(std::span(&point, 1));
  Edges edges = *edges_;
  round_.field.stretch(edges, point);
  return edges;
}

std::vector<Insertion> Growth::best(std::size_t number) const {
  std::vector<Insertion> best;
  for (Point point : outside_) {
    Insertion one{point, edges_with(point)};
    std::uint32_t positives = round_.counter->positives(one.edges);
    // Counting ends where the balance cannot be above the last of the best any more.
    std::uint32_t limit = Counter::no_limit;
    if (best.size() == number) {
      std::int64_t room = static_cast<std::int64_t>(positives) - best.back().counts.balance() - 1;
      if (room < 0) continue;
      limit = static_cast<std::uint32_t>(room);
    }
    std::uint32_t others = round_.counter->others(one.edges, limit);
    if (others > limit) continue;
    one.counts = {positives, positives + others};
    auto at = std::upper_bound(best.begin(), best.end(), one.counts.balance(),
                               [](std::int64_t balance, const Insertion& other) {
                                 return balance > other.counts.balance();
                               });
    best.insert(at, one);
    if (best.size() > number) best.pop_back();
  }
  return best;
}

void Growth::insert(const Insertion& insertion) {
  chosen_.push_back(insertion.point);
  edges_ = insertion.edges;
  counts_ = insertion.counts;
  std::erase_if(outside_, [&](Point point) { return round_.field.holds(*edges_, point); });
}

}  // namespace rankveil::publish
