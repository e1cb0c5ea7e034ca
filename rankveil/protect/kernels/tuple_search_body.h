// The search of tuple_search.h over vectors of any width. Included by one file per instruction set;
// everything here is local to the file that includes it.
#pragma once

#include <cstdint>

#include "rankveil/protect/kernels/tuple_search.h"

namespace rankveil::kernels {
namespace {

// Adds that stay at the highest number: 8 and 16 bits need it, wider costs are kept small enough.
template <typename Cost>
inline Cost saturated(Cost left, Cost right) {
  auto sum = static_cast<Cost>(left + right);
  if constexpr (sizeof(Cost) > 2) return sum;
  return static_cast<Cost>(sum < left ? static_cast<Cost>(-1) : sum);
}

// What the compiler makes of plain loops. `count` is a multiple of 64 bytes.
template <typename Cost_>
struct PlainLanes {
  using Cost = Cost_;

  static Cost least_sum(const Cost* left, const Cost* right, std::uint32_t count) {
    auto least = static_cast<Cost>(-1);
    for (std::uint32_t i = 0; i < count; ++i) {
      Cost sum = saturated(left[i], right[i]);
      least = sum < least ? sum : least;
    }
    return least;
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
      Cost least = Lanes::least_sum(state + last, pairs, length);
      if (now + least >= search.best) continue;
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
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < count && search.nodes_left > 0; ++i) {
      --search.nodes_left;
      std::uint32_t lane = list[i].lane;
      Sum bound = paid + state[search.first[group] + lane] +
                  least_rest(search, group, state, pairs_of(search, group, lane));
      if (bound < search.best) insert(list, kept++, {bound, lane});
    }
    return kept;
  }

  static Sum least_rest(const Search& search, std::uint32_t group, const Cost* state,
                        const Cost* pairs) {
    Sum rest = 0;
    std::uint32_t base = search.first[group + 1];
    for (std::uint32_t g = group + 1; g < search.groups; ++g) {
      std::uint32_t at = search.first[g];
      rest += Lanes::least_sum(state + at, pairs + (at - base), search.first[g + 1] - at);
    }
    return rest;
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
