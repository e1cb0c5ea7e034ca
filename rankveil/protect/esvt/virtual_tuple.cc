// The search for the best virtual tuple, in numbers.
//
// Let x_v be the vector over queries of a class v of values: sqrt(count) times the attribute's
// weight where the query asks for v, else 0. Let r be the own scores, weighed alike. A choice of
// one class per attribute costs
//   |r - sum of x|^2 = |r|^2 + sum of g(v) + sum over pairs of 2<v,w>,   g(v) = |x_v|^2 - 2<r,x_v>
// and every 2<v,w> is at least 0. So |r|^2 plus the least g of each attribute is a lower bound, and
// stays one when the pairs with what is chosen already are added to g.
//
// Example. Queries 1 (a = 0 and b = 0) and 2 (a = 1 and b = 0), each asked once, weights 1. Classes
// of a: 0 (asked by query 1), 1 (by query 2), 2 (by none); of b: 0 (by both), 1 (by none). The row
// (0, 0) scores r = (2, 1), |r|^2 = 5. Its own classes have one value each, which is used up.
//   class   a0      a1      a2      b0      b1
//   x      (1,0)   (0,1)   (0,0)   (1,1)   (0,0)
//   g      1-4=-3  1-2=-1    0     2-6=-4    0
//   free    no      yes     yes     no      yes
// The lower bound is 5 - 1 + 0 = 4, and (a1, b1) costs |(2,1) - (0,1)|^2 = 4: proven without a
// search. Were b0 free, the bound would be 5 - 1 - 4 = 0, and (a1, b0) would cost 5 - 1 - 4 + 2 =
// 2: the pair a1, b0 adds 2<x,y> = 2. Then a search between 0 and 2 decides.
//
// The search (kernels/tuple_search.h) takes groups of attributes. The lanes of a group are its
// combinations of classes; a lane's own cost is the sum of its g and of the pairs inside it, less
// the least of the group. That is at least 0, so what is searched are whole numbers below
// objective - bound, and 8 or 16 bits hold them nearly always.
//
// Invariant: `objective` is the cost of a choice at hand, `bound` is at most that of any choice,
// and both are exact: bound <= best <= objective. A choice is proven when they meet, or when the
// search has gone through all lanes below their difference within its budget of nodes.
#include "rankveil/protect/esvt/virtual_tuple.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "rankveil/protect/esvt/lane_search.h"
#include "rankveil/protect/esvt/tuple_space.h"

namespace rankveil {

namespace {

std::vector<std::uint32_t> lanes_of(const std::vector<TupleGroup>& groups) {
  std::vector<std::uint32_t> lanes;
  lanes.reserve(groups.size());
  for (const TupleGroup& group : groups) lanes.push_back(group.lanes);
  return lanes;
}

// `Number`: what objectives are counted in.
template <typename Number>
class FinderOf : public TupleFinder {
 public:
  FinderOf(const QueryView& view, const TupleFinderOptions& options)
      : options_(options),
        view_(view),
        order_(order_attributes(view, options.l)),
        groups_(group_attributes(order_)),
        tables_(make_tables<Number>(view, order_)),
        search_(kernels::tuple_search_for(options.isa), lanes_of(groups_)) {
    for (std::uint32_t place = 0; place < order_.places(); ++place) {
      const AttributeView& attribute = view_.attributes[order_.attributes[place]];
      for (std::uint32_t column = order_.first[place]; column < order_.first[place + 1]; ++column) {
        auto values = attribute.values[order_.class_at[column]].size();
        values_.push_back(static_cast<std::uint32_t>(values));
      }
    }
    for (const TupleGroup& group : groups_) add_lanes(group);
  }

  void find(std::span<const std::uint16_t> own, std::span<std::uint16_t> found,
            std::span<std::uint8_t> proven) const override {
    Work work;
    std::size_t width = order_.places();
    std::size_t wide = width * (options_.l - 1);
    for (std::size_t i = 0; i < proven.size(); ++i) {
      bool all = find_one(own.subspan(i * width, width), found.subspan(i * wide, wide), work);
      proven[i] = all ? 1 : 0;
    }
  }

 private:
  // Added to the cost of a class that is used up: more than objectives range over, and small enough
  // for the sum over a group.
  static constexpr Number forbidden = Number{1} << (8 * sizeof(Number) - 5);

  // What one thread works on, for one tuple at a time.
  struct Work {
    std::vector<Number> scores;         // [query]; the tuple's
    std::vector<Number> costs;          // [column]; g
    std::vector<Number> trial;          // [column]; g after what was chosen
    std::vector<Number> lanes;          // costs of combinations, group by group
    std::vector<std::uint32_t> left;    // [column]; values that are still free
    std::vector<std::uint32_t> choice;  // [place]; columns
    Number base = 0;                    // the objective of a virtual tuple that nobody asks for
    LaneMemories memories;
  };

  Number twice(std::uint32_t left, std::uint32_t right) const {
    return tables_.twice[std::size_t{left} * order_.columns() + right];
  }

  void add_lanes(const TupleGroup& group) {
    first_lane_.push_back(inside_.size());
    for (std::uint32_t lane = 0; lane < group.lanes; ++lane) {
      Number inside = 0;
      for (std::uint32_t place = group.first_place; place < group.last_place; ++place) {
        std::uint32_t column = column_in_lane(order_, group, place, lane);
        for (std::uint32_t other = group.first_place; other < place; ++other) {
          inside += twice(column, column_in_lane(order_, group, other, lane));
        }
      }
      inside_.push_back(inside);
    }
  }

  // What the lanes of two groups add to each other.
  Number pair_cost(std::uint32_t group, std::uint32_t lane, std::uint32_t other_group,
                   std::uint32_t other_lane) const {
    const TupleGroup& left = groups_[group];
    const TupleGroup& right = groups_[other_group];
    Number cost = 0;
    for (std::uint32_t i = left.first_place; i < left.last_place; ++i) {
      std::uint32_t column = column_in_lane(order_, left, i, lane);
      for (std::uint32_t j = right.first_place; j < right.last_place; ++j) {
        cost += twice(column, column_in_lane(order_, right, j, other_lane));
      }
    }
    return cost;
  }

  bool find_one(std::span<const std::uint16_t> own, std::span<std::uint16_t> found,
                Work& work) const {
    start(own, work);
    bool proven = !order_.cut;
    for (std::uint32_t i = 0; i + 1 < options_.l; ++i) {
      proven = find_next(work) && proven;
      for (std::uint32_t place = 0; place < order_.places(); ++place) {
        std::uint32_t column = work.choice[place];
        found[i * order_.places() + order_.attributes[place]] = order_.class_at[column];
        use_value(column, work);
      }
    }
    return proven;
  }

  static void use_value(std::uint32_t column, Work& work) {
    assert(work.left[column] > 0 && "an attribute has at least l values");
    if (--work.left[column] == 0) work.costs[column] += forbidden;
  }

  void start(std::span<const std::uint16_t> own, Work& work) const {
    work.scores.assign(view_.queries(), 0);
    work.left = values_;
    work.costs = tables_.norm;
    work.choice.resize(order_.places());
    for (std::uint32_t place = 0; place < order_.places(); ++place) {
      std::uint16_t number = own[order_.attributes[place]];
      if (number == no_class) continue;
      const AttributeView& attribute = view_.attributes[order_.attributes[place]];
      auto weight = static_cast<Number>(attribute.weight);
      for (std::uint32_t query : attribute.asked_by[number]) work.scores[query] += weight;
      std::uint32_t column = order_.column_of[place][number];
      if (column != TupleOrder::no_column) use_value(column, work);
    }
    subtract_scores(work);
  }

  // From |x|^2 to |x|^2 - 2<r,x>.
  void subtract_scores(Work& work) const {
    work.base = 0;
    for (std::size_t query = 0; query < work.scores.size(); ++query) {
      Number score = work.scores[query];
      if (score == 0) continue;
      work.base += tables_.counts[query] * score * score;
      const Number* asks = tables_.asks.data() + query * work.costs.size();
      for (std::size_t i = 0; i < work.costs.size(); ++i) work.costs[i] -= score * asks[i];
    }
  }

  // Fills work.choice; whether it is proven to be best.
  bool find_next(Work& work) const {
    Number objective = work.base + choose_well(work);
    if (objective == 0) return true;
    Number bound = work.base + cost_lanes(work);
    assert(bound <= objective && "nothing is cheaper than the lower bound");
    if (objective == bound) return true;
    if (groups_.size() == 1) return take_free_lane(work);
    auto pair = [this](auto... lanes) { return pair_cost(lanes...); };
    SearchEnd end =
        search_.run(work.lanes, objective - bound, options_.node_budget, pair, work.memories);
    if (end == SearchEnd::Improved || end == SearchEnd::GaveUpImproved) take_lanes(work);
    return end == SearchEnd::Improved || end == SearchEnd::Kept;
  }

  // Where all attributes are one group, the bound is exact.
  bool take_free_lane(Work& work) const {
    auto lane = std::find(work.lanes.begin(), work.lanes.end(), 0) - work.lanes.begin();
    work.memories.chosen.assign(1, static_cast<std::uint32_t>(lane));
    take_lanes(work);
    return true;
  }

  void take_lanes(Work& work) const {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const TupleGroup& group = groups_[g];
      for (std::uint32_t place = group.first_place; place < group.last_place; ++place) {
        work.choice[place] = column_in_lane(order_, group, place, work.memories.chosen[g]);
      }
    }
  }

  std::uint32_t cheapest(std::uint32_t place, const std::vector<Number>& costs) const {
    std::uint32_t best = order_.first[place];
    for (std::uint32_t i = best + 1; i < order_.first[place + 1]; ++i) {
      if (costs[i] < costs[best]) best = i;
    }
    return best;
  }

  void add_row(std::uint32_t column, std::vector<Number>& costs) const {
    const Number* row = tables_.twice.data() + std::size_t{column} * costs.size();
    for (std::size_t i = 0; i < costs.size(); ++i) costs[i] += row[i];
  }
  void subtract_row(std::uint32_t column, std::vector<Number>& costs) const {
    const Number* row = tables_.twice.data() + std::size_t{column} * costs.size();
    for (std::size_t i = 0; i < costs.size(); ++i) costs[i] -= row[i];
  }

  // A good choice to start with: attribute by attribute, then again while that helps. Gives its
  // cost.
  Number choose_well(Work& work) const {
    work.trial = work.costs;
    Number cost = 0;
    for (std::uint32_t place = 0; place < order_.places(); ++place) {
      work.choice[place] = cheapest(place, work.trial);
      cost += work.trial[work.choice[place]];
      add_row(work.choice[place], work.trial);
    }
    std::uint32_t unchanged = 0;
    for (std::uint32_t place = 0; unchanged < order_.places(); ++unchanged) {
      Number gain = choose_again(place, work);
      cost -= gain;
      if (gain > 0) unchanged = 0;
      place = place + 1 == order_.places() ? 0 : place + 1;
    }
    return cost;
  }

  // The attribute's best class, given all others. Gives what that saves.
  Number choose_again(std::uint32_t place, Work& work) const {
    std::uint32_t old = work.choice[place];
    subtract_row(old, work.trial);
    std::uint32_t best = cheapest(place, work.trial);
    Number gain = work.trial[old] - work.trial[best];
    if (gain > 0) work.choice[place] = best;
    add_row(work.choice[place], work.trial);
    return gain;
  }

  // Costs of all combinations, less the least of their group; gives the sum of those.
  Number cost_lanes(Work& work) const {
    work.lanes.resize(inside_.size());
    Number sum = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Number* lanes = work.lanes.data() + first_lane_[g];
      combine(groups_[g], work.costs, lanes);
      const Number* inside = inside_.data() + first_lane_[g];
      for (std::uint32_t i = 0; i < groups_[g].lanes; ++i) lanes[i] += inside[i];
      Number least = *std::min_element(lanes, lanes + groups_[g].lanes);
      for (std::uint32_t i = 0; i < groups_[g].lanes; ++i) lanes[i] -= least;
      sum += least;
    }
    return sum;
  }

  // Sums of one cost per attribute, the last attribute's changing fastest. Grows in place, from the
  // back, so that nothing is overwritten before it is read.
  void combine(const TupleGroup& group, const std::vector<Number>& costs, Number* sums) const {
    sums[0] = 0;
    std::size_t count = 1;
    for (std::uint32_t place = group.first_place; place < group.last_place; ++place) {
      const Number* added = costs.data() + order_.first[place];
      std::size_t classes = order_.first[place + 1] - order_.first[place];
      for (std::size_t i = count; i-- > 0;) {
        Number before = sums[i];
        for (std::size_t c = 0; c < classes; ++c) sums[i * classes + c] = before + added[c];
      }
      count *= classes;
    }
  }

  TupleFinderOptions options_;
  QueryView view_;
  TupleOrder order_;
  std::vector<TupleGroup> groups_;
  TupleTables<Number> tables_;
  std::vector<std::uint32_t> values_;    // [column]; how many the class has
  std::vector<std::size_t> first_lane_;  // [group]
  std::vector<Number> inside_;           // [lane]; what its classes add to each other
  mutable LaneSearch<Number> search_;    // makes its tables when they are first needed
};

template <typename Number>
bool holds(double largest) {
  return largest * 128 < std::ldexp(1.0, 8 * sizeof(Number) - 1);
}

}  // namespace

Result<std::unique_ptr<const TupleFinder>> TupleFinder::make(const QueryView& view,
                                                             const TupleFinderOptions& options) {
  using Made = std::unique_ptr<const TupleFinder>;
  double largest = largest_objective(view);
  if (holds<std::int32_t>(largest)) return Made(new FinderOf<std::int32_t>(view, options));
  if (holds<std::int64_t>(largest)) return Made(new FinderOf<std::int64_t>(view, options));
  if (holds<__int128>(largest)) return Made(new FinderOf<__int128>(view, options));
  return bad_input(
      "the workload's counts and the attributes' weights are too large together for esvt; use "
      "smaller counts or fewer decimals in weights");
}

}  // namespace rankveil
