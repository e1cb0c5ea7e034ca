// The search of tuple_search.h over vectors of any width. Included by one file per instruction set;
// everything here is local to the file that includes it.
#pragma once

#include <bit>
#include <cstdint>

#include "rankveil/protect/esvt/kernels/tuple_search.h"

namespace rankveil::kernels {
namespace {

// Adds that stay at the highest number: 8 and 16 bits need it, wider costs are kept small enough.
template <typename Cost>
inline Cost saturated(Cost left, Cost right) {
  auto sum = static_cast<Cost>(left + right);
  if constexpr (sizeof(Cost) > 2) return sum;
  return static_cast<Cost>(sum < left ? static_cast<Cost>(-1) : sum);
}

// What the compiler makes of plain loops. Counts are multiples of 64 bytes.
template <typename Cost_>
struct PlainLanes {
  using Cost = Cost_;
  using Sum = typename CostSum<Cost>::Type;

  static Cost least_sum(const Cost* left, const Cost* right, std::uint32_t count) {
    auto least = static_cast<Cost>(-1);
    for (std::uint32_t i = 0; i < count; ++i) {
      Cost sum = saturated(left[i], right[i]);
      least = sum < least ? sum : least;
    }
    return least;
  }
  // The least sum of each group, added up. Group g begins at first[g] - first[0]. `known`: how many
  // groups there are, when the compiler may know.
  template <std::uint32_t known>
  static Sum least_sums(const Cost* left, const Cost* right, const std::uint32_t* first,
                        std::uint32_t groups) {
    Sum rest = 0;
    for (std::uint32_t g = 0; g < groups; ++g) {
      std::uint32_t at = first[g] - first[0];
      rest += least_sum(left + at, right + at, first[g + 1] - first[g]);
    }
    return rest;
  }
  // Whether a sum is below `limit`, which is above 0.
  static bool any_below(const Cost* left, const Cost* right, std::uint32_t count, Cost limit) {
    return least_sum(left, right, count) < limit;
  }
  // Also says the least.
  static Cost add(const Cost* left, const Cost* right, std::uint32_t count, Cost* sums) {
    auto least = static_cast<Cost>(-1);
    for (std::uint32_t i = 0; i < count; ++i) {
      sums[i] = saturated(left[i], right[i]);
      least = sums[i] < least ? sums[i] : least;
    }
    return least;
  }
  // Lanes below `limit`, ascending.
  static std::uint32_t below(const Cost* costs, std::uint32_t count, Cost limit,
                             Candidate<Cost>* out) {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      out[found].lane = i;
      found += costs[i] < limit ? 1 : 0;
    }
    return found;
  }
};

// The same with vectors of an instruction set. `Kind` loads, stores, adds and compares one Vector
// of Costs; `highest()` has all bits set.
template <typename Kind>
struct VectorLanes {
  using Cost = typename Kind::Cost;
  using Sum = std::uint32_t;
  using Vector = typename Kind::Vector;

  static Cost least_sum(const Cost* left, const Cost* right, std::uint32_t count) {
    return Kind::least_in(least_of(left, right, count));
  }
  template <std::uint32_t known>
  static Sum least_sums(const Cost* left, const Cost* right, const std::uint32_t* first,
                        std::uint32_t groups) {
    if constexpr (known > 0) groups = known;
    Sum rest = 0;
    for (std::uint32_t g = 0; g < groups; ++g) {
      std::uint32_t at = first[g] - first[0];
      rest += least_sum(left + at, right + at, first[g + 1] - first[g]);
    }
    return rest;
  }
  static bool any_below(const Cost* left, const Cost* right, std::uint32_t count, Cost limit) {
    return Kind::below(least_of(left, right, count), limit) != 0;
  }
  static Cost add(const Cost* left, const Cost* right, std::uint32_t count, Cost* sums) {
    Vector least = Kind::highest();
    for (std::uint32_t i = 0; i < count; i += Kind::width) {
      Vector sum = Kind::sum(left + i, right + i);
      Kind::store(sums + i, sum);
      least = Kind::least(least, sum);
    }
    return Kind::least_in(least);
  }
  static std::uint32_t below(const Cost* costs, std::uint32_t count, Cost limit,
                             Candidate<Cost>* out) {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < count; i += Kind::width) {
      for (std::uint64_t bits = Kind::below(Kind::load(costs + i), limit); bits != 0;
           bits &= bits - 1) {
        out[found++].lane = i + static_cast<std::uint32_t>(std::countr_zero(bits));
      }
    }
    return found;
  }

 private:
  // Of the sums: one vector that has the least among its numbers.
  static Vector least_of(const Cost* left, const Cost* right, std::uint32_t count) {
    Vector least = Kind::sum(left, right);
    for (std::uint32_t i = Kind::width; i < count; i += Kind::width) {
      least = Kind::least(least, Kind::sum(left + i, right + i));
    }
    return least;
  }
};

template <typename Lanes>
struct SearchBody {
  using Cost = typename Lanes::Cost;
  using Sum = typename CostSum<Cost>::Type;
  using Search = TupleSearch<Cost>;

  static void run(Search& search) { descend(search, 0, 0, 0); }

 private:
  static std::uint32_t width(const Search& search) { return search.first[search.groups]; }

  static const Cost* pairs_of(const Search& search, std::uint32_t group, std::uint32_t lane) {
    std::size_t length = width(search) - search.first[group + 1];
    return search.pairs[group] + lane * length;
  }

  // Paid so far: `paid`; the open groups after this one cost at least `rest`.
  static void descend(Search& search, std::uint32_t group, Sum paid, Sum rest) {
    Cost* state = search.states + std::size_t{group} * width(search);
    Candidate<Cost>* list = search.candidates + std::size_t{group} * width(search);
    if (paid + rest >= search.best) return;
    std::uint32_t first = search.first[group];
    auto limit = static_cast<Cost>(search.best - paid - rest);
    std::uint32_t count = Lanes::below(state + first, search.first[group + 1] - first, limit, list);
    if (group + 2 == search.groups) {
      finish(search, group, state, paid, list, count);
      return;
    }
    std::uint32_t kept = keep_promising(search, group, state, paid, list, count);
    for (std::uint32_t i = 0; i < kept && search.nodes_left > 0; ++i) {
      if (list[i].bound >= search.best) return;
      search.path[group] = list[i].lane;
      Sum now = paid + state[first + list[i].lane];
      Sum later = fill_child(search, group, state, list[i].lane);
      descend(search, group + 1, now, later);
    }
  }

  // Two groups are left: the cheapest lane of the last one is exact.
  static void finish(Search& search, std::uint32_t group, const Cost* state, Sum paid,
                     const Candidate<Cost>* list, std::uint32_t count) {
    std::uint32_t first = search.first[group];
    std::uint32_t last = search.first[group + 1];
    std::uint32_t length = width(search) - last;
    for (std::uint32_t i = 0; i < count && search.nodes_left > 0; ++i) {
      std::uint32_t lane = list[i].lane;
      Sum now = paid + state[first + lane];
      if (now >= search.best) continue;
      --search.nodes_left;
      const Cost* pairs = pairs_of(search, group, lane);
      auto limit = static_cast<Cost>(search.best - now);
      if (!Lanes::any_below(state + last, pairs, length, limit)) continue;
      Cost least = Lanes::least_sum(state + last, pairs, length);
      search.best = now + least;
      search.path[group] = lane;
      keep_choice(search, state + last, pairs, least);
    }
  }

  static void keep_choice(Search& search, const Cost* state, const Cost* pairs, Cost least) {
    std::uint32_t lane = 0;
    while (saturated(state[lane], pairs[lane]) != least) ++lane;
    for (std::uint32_t i = 0; i + 1 < search.groups; ++i) search.chosen[i] = search.path[i];
    search.chosen[search.groups - 1] = lane;
  }

  // Sets the bounds of the lanes in the list and keeps those that can still win, best first.
  static std::uint32_t keep_promising(Search& search, std::uint32_t group, const Cost* state,
                                      Sum paid, Candidate<Cost>* list, std::uint32_t count) {
    switch (search.groups - group - 1) {
      case 2:
        return keep_of<2>(search, group, state, paid, list, count);
      case 3:
        return keep_of<3>(search, group, state, paid, list, count);
      case 4:
        return keep_of<4>(search, group, state, paid, list, count);
      default:
        return keep_of<0>(search, group, state, paid, list, count);
    }
  }

  // `open`: how many groups come after this one; 0: any number.
  template <std::uint32_t open>
  static std::uint32_t keep_of(Search& search, std::uint32_t group, const Cost* state, Sum paid,
                               Candidate<Cost>* list, std::uint32_t count) {
    const std::uint32_t* first = search.first + group + 1;
    const std::uint32_t after = open == 0 ? search.groups - group - 1 : open;
    const Cost* own = state + search.first[group];
    const Cost* rest = state + first[0];
    const Cost* pairs = search.pairs[group];
    const std::size_t length = first[after] - first[0];
    const Sum limit = search.best - paid;
    if (count > search.nodes_left) count = static_cast<std::uint32_t>(search.nodes_left);
    search.nodes_left -= count;
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t lane = list[i].lane;
      Sum bound =
          own[lane] + Lanes::template least_sums<open>(rest, pairs + lane * length, first, after);
      // No branch: one in four or so is kept, which nobody can predict.
      list[kept] = {static_cast<Sum>(paid + bound), lane};
      kept += bound < limit ? 1 : 0;
    }
    for (std::uint32_t i = 1; i < kept; ++i) insert(list, i, list[i]);
    return kept;
  }

  // `list` is sorted up to `kept`; equal bounds stay in the order of their lanes.
  static void insert(Candidate<Cost>* list, std::uint32_t kept, Candidate<Cost> added) {
    while (kept > 0 && list[kept - 1].bound > added.bound) {
      list[kept] = list[kept - 1];
      --kept;
    }
    list[kept] = added;
  }

  // The state after choosing the lane; what the groups after the next one cost at least.
  static Sum fill_child(Search& search, std::uint32_t group, const Cost* state,
                        std::uint32_t lane) {
    Cost* child = search.states + std::size_t{group + 1} * width(search);
    const Cost* pairs = pairs_of(search, group, lane);
    std::uint32_t base = search.first[group + 1];
    Sum rest = 0;
    for (std::uint32_t g = group + 1; g < search.groups; ++g) {
      std::uint32_t at = search.first[g];
      Cost least =
          Lanes::add(state + at, pairs + (at - base), search.first[g + 1] - at, child + at);
      if (g > group + 1) rest += least;
    }
    return rest;
  }
};

}  // namespace
}  // namespace rankveil::kernels
