// The box is the one around the chosen true positives. In each dimension they form a list by value,
// linked both ways: the two ends are the edges, and what the removal of an end cuts off are the
// points up to the next in the list. Points are kept by place (field.h), so a cut is a walk over
// neighbours. Nothing comes back, so every list only shrinks.
#include "rankveil/publish/methods/greedy_deletion.h"

#include <algorithm>
#include <numeric>

namespace rankveil::publish {

namespace {

constexpr Point nobody = 0xFFFFFFFF;

// The chosen true positives in one dimension, ascending.
class EdgeList {
 public:
  EdgeList(const Field& field, std::size_t dimension, std::vector<Point> chosen)
      : before_(field.positives(), nobody), after_(field.positives(), nobody) {
    std::stable_sort(chosen.begin(), chosen.end(), [&](Point a, Point b) {
      return field.rank(dimension, a) < field.rank(dimension, b);
    });
    first_ = chosen.front();
    last_ = chosen.back();
    for (std::size_t i = 1; i < chosen.size(); ++i) {
      after_[chosen[i - 1]] = chosen[i];
      before_[chosen[i]] = chosen[i - 1];
    }
  }

  Point first() const { return first_; }
  Point last() const { return last_; }
  Point after(Point point) const { return after_[point]; }
  Point before(Point point) const { return before_[point]; }

  void remove(Point point) {
    (before_[point] == nobody ? first_ : after_[before_[point]]) = after_[point];
    (after_[point] == nobody ? last_ : before_[after_[point]]) = before_[point];
  }

 private:
  std::vector<Point> before_, after_;
  Point first_ = nobody, last_ = nobody;
};

// What a removal takes away.
struct Dropped {
  std::uint32_t positives = 0;
  std::uint32_t others = 0;

  std::int64_t gain() const {
    return static_cast<std::int64_t>(others) - static_cast<std::int64_t>(positives);
  }
};

class Shrinking {
 public:
  explicit Shrinking(const Field& field)
      : field_(field),
        inside_(field.size(), 0),
        stamps_(field.size(), 0),
        chosen_(field.left_positives()) {
    enter(field.edges_around(chosen_));
    for (std::size_t d = 0; d < field.dimensions(); ++d) lists_.emplace_back(field, d, chosen_);
    left_ = chosen_.size();
    is_chosen_.assign(field.positives(), 0);
    for (Point point : chosen_) is_chosen_[point] = 1;
  }

  const Counts& counts() const { return counts_; }
  std::size_t chosen_left() const { return left_; }

  struct Candidate {
    Point point = nobody;
    Dropped dropped = {};
  };
  // Of all that leave at least k members; nobody when there is none. REQUIRES: two are chosen.
  Candidate best(std::uint32_t k) {
    Candidate best;
    ++round_;
    for (std::size_t d = 0; d < lists_.size(); ++d) {
      const EdgeList& list = lists_[d];
      for (Point p = list.first(); p != nobody && same(d, p, list.first()); p = list.after(p)) {
        consider(p, k, best);
      }
      for (Point p = list.last(); p != nobody && same(d, p, list.last()); p = list.before(p)) {
        consider(p, k, best);
      }
    }
    return best;
  }

  void remove(const Candidate& candidate) {
    for_each_cut(candidate.point, [&](Point point) { inside_[point] = 0; });
    for (EdgeList& list : lists_) list.remove(candidate.point);
    is_chosen_[candidate.point] = 0;
    --left_;
    counts_.positives -= candidate.dropped.positives;
    counts_.members -= candidate.dropped.positives + candidate.dropped.others;
  }

  std::vector<Point> chosen() const {
    std::vector<Point> result;
    for (Point point : chosen_) {
      if (is_chosen_[point] != 0) result.push_back(point);
    }
    return result;
  }

 private:
  void enter(const Edges& edges) {
    for (Point point = 0; point < field_.size(); ++point) {
      if (!field_.is_left(point) || !field_.holds(edges, point)) continue;
      inside_[point] = 1;
      ++counts_.members;
      if (point < field_.positives()) ++counts_.positives;
    }
  }

  bool same(std::size_t dimension, Point a, Point b) const {
    return field_.place(dimension, a) == field_.place(dimension, b);
  }

  // Somebody may stand at several edges, and is looked at once.
  void consider(Point point, std::uint32_t k, Candidate& best) {
    if (seen_.size() < field_.positives()) seen_.resize(field_.positives(), 0);
    if (seen_[point] == round_) return;
    seen_[point] = round_;
    Dropped dropped = cut_off(point);
    if (counts_.members - dropped.positives - dropped.others < k) return;
    bool better = best.point == nobody || dropped.gain() > best.dropped.gain() ||
                  (dropped.gain() == best.dropped.gain() && point > best.point);
    if (better) best = {point, dropped};
  }

  Dropped cut_off(Point point) {
    Dropped dropped;
    ++stamp_;
    for_each_cut(point, [&](Point cut) {
      if (stamps_[cut] == stamp_) return;
      stamps_[cut] = stamp_;
      ++(cut < field_.positives() ? dropped.positives : dropped.others);
    });
    return dropped;
  }

  // Points inside the box and outside of the one around the others; some twice.
  template <typename Visit>
  void for_each_cut(Point point, const Visit& visit) {
    auto go_over = [&](std::size_t d, std::uint32_t first, std::uint32_t last) {
      for (Point cut : field_.between(d, first, last)) {
        if (inside_[cut] != 0) visit(cut);
      }
    };
    for (std::size_t d = 0; d < lists_.size(); ++d) {
      const EdgeList& list = lists_[d];
      if (list.first() == point) {
        go_over(d, field_.place(d, point), field_.place(d, list.after(point)));
      }
      if (list.last() == point) {
        go_over(d, field_.place(d, list.before(point)) + 1, field_.place(d, point) + 1);
      }
    }
  }

  const Field& field_;
  std::vector<std::uint8_t> inside_;
  std::vector<std::uint64_t> stamps_;
  std::uint64_t stamp_ = 0;
  std::vector<std::uint64_t> seen_;
  std::uint64_t round_ = 0;
  std::vector<Point> chosen_;  // at the start
  std::vector<std::uint8_t> is_chosen_;
  std::size_t left_ = 0;
  std::vector<EdgeList> lists_;
  Counts counts_;
};

}  // namespace

Shrunk shrink_greedily(const Round& round) {
  Shrinking box(round.field);
  while (!precise_enough(box.counts().positives, box.counts().members, round.demand.precision) &&
         box.chosen_left() > 1) {
    auto best = box.best(round.demand.k);
    if (best.point == nobody) break;
    box.remove(best);
  }
  return {box.chosen(), box.counts()};
}

Selected greedy_deletion(const Round& round) {
  Shrunk shrunk = shrink_greedily(round);
  Selected selected;
  if (round.accepts(shrunk.counts)) {
    selected.selections.push_back({round.field.edges_around(shrunk.chosen)});
  }
  return selected;
}

}  // namespace rankveil::publish
