// A box is a choice for each of its 2m edges. Edges are taken in turn; each is moved inward over
// the true positives that are left, so a node is a set of true positives and the edge that is next.
// Sets are searched by how many true positives they lack, none first: the number of boxes grows
// fast with that, and the first that meets the demand ends the search.
#include "rankveil/publish/methods/exact.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace rankveil::publish {

namespace {

using Words = std::vector<std::uint64_t>;

class Search {
 public:
  explicit Search(const Round& round)
      : round_(round),
        field_(round.field),
        words_((field_.positives() + 63) / 64),
        sets_((2 * field_.dimensions() + 1) * words_) {
    at_.resize(field_.dimensions());
    for (std::size_t d = 0; d < field_.dimensions(); ++d) {
      at_[d].assign(field_.distinct(d) * words_, 0);
      for (Point point : field_.left_positives()) {
        at_[d][field_.rank(d, point) * words_ + point / 64] |= std::uint64_t{1} << (point % 64);
      }
    }
  }

  Selected run() {
    std::uint32_t all = field_.positives_left();
    for (std::uint32_t number = all; number >= fewest() && !spent_ && !found_; --number) {
      wanted_ = number;
      std::fill_n(sets_.begin(), words_, std::uint64_t{0});
      for (Point point : field_.left_positives()) {
        sets_[point / 64] |= std::uint64_t{1} << (point % 64);
      }
      Edges whole = field_.edges_around(field_.left_positives());
      if (number == all) evaluate(sets_.data(), whole);
      descend(0, all, whole);
    }
    Selected selected;
    selected.gave_up = spent_;
    if (found_ && !spent_) selected.selections.push_back({best_});
    return selected;
  }

 private:
  // A box of k members needs so many true positives.
  std::uint32_t fewest() const {
    double least = std::ceil(round_.demand.precision * round_.demand.k - 1e-9);
    return std::max(1U, static_cast<std::uint32_t>(std::max(0.0, least)));
  }

  const std::uint64_t* at(std::size_t dimension, std::uint32_t rank) const {
    return at_[dimension].data() + std::size_t{rank} * words_;
  }
  bool meets(const std::uint64_t* set, const std::uint64_t* other) const {
    for (std::size_t i = 0; i < words_; ++i) {
      if ((set[i] & other[i]) != 0) return true;
    }
    return false;
  }
  std::uint32_t shared(const std::uint64_t* set, const std::uint64_t* other) const {
    int bits = 0;
    for (std::size_t i = 0; i < words_; ++i) bits += std::popcount(set[i] & other[i]);
    return static_cast<std::uint32_t>(bits);
  }

  // Moves all edges of the box inward to the set.
  void tighten(const std::uint64_t* set, Edges& edges) const {
    for (std::size_t d = 0; d < field_.dimensions(); ++d) {
      while (!meets(set, at(d, edges.low[d]))) ++edges.low[d];
      while (!meets(set, at(d, edges.high[d]))) --edges.high[d];
    }
  }

  void evaluate(const std::uint64_t* set, Edges edges) {
    tighten(set, edges);
    double most = std::floor(wanted_ / round_.demand.precision + 1e-9);
    auto limit = static_cast<std::uint32_t>(std::max(most, wanted_ + 0.0)) - wanted_;
    std::uint32_t others = round_.counter->others(edges, limit);
    Counts counts{wanted_, wanted_ + others};
    if (others > limit || !round_.accepts(counts)) return;
    if (found_ && counts.members >= best_counts_.members) return;
    found_ = true;
    best_ = edges;
    best_counts_ = counts;
  }

  // The set of this depth has `number` true positives; edges before `edge` stay where they are.
  void descend(std::size_t edge, std::uint32_t number, const Edges& edges) {
    if (edge == 2 * field_.dimensions() || number == wanted_) return;
    const std::uint64_t* set = sets_.data() + edge * words_;
    std::uint64_t* next = sets_.data() + (edge + 1) * words_;
    std::copy_n(set, words_, next);
    Edges moved = edges;
    descend(edge + 1, number, moved);
    bool is_low = edge % 2 == 0;
    std::size_t d = edge / 2;
    while (number > wanted_ && !spent_) {
      std::uint32_t& at_edge = is_low ? moved.low[d] : moved.high[d];
      while (!meets(next, at(d, at_edge))) is_low ? ++at_edge : --at_edge;
      std::uint32_t dropped = shared(next, at(d, at_edge));
      if (number < wanted_ + dropped) return;
      for (std::size_t i = 0; i < words_; ++i) next[i] &= ~at(d, at_edge)[i];
      is_low ? ++at_edge : --at_edge;
      number -= dropped;
      if (++nodes_ > round_.demand.node_budget) spent_ = true;
      if (number == wanted_) {
        evaluate(next, moved);
      } else {
        descend(edge + 1, number, moved);
      }
    }
  }

  const Round& round_;
  const Field& field_;
  std::size_t words_;
  Words sets_;  // one for each depth
  std::vector<Words> at_;
  std::uint32_t wanted_ = 0;
  std::uint64_t nodes_ = 0;
  bool spent_ = false;
  bool found_ = false;
  Edges best_;
  Counts best_counts_;
};

}  // namespace

Selected exact(const Round& round) { return Search(round).run(); }

}  // namespace rankveil::publish
