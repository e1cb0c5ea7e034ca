// The search of tuple_search.h over vectors of any width. Included by one file per instruction set;
// everything here is local to the file that includes it.
#pragma once

#if defined(__SSE4_1__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <cstring>

#include "rankveil/protect/esvt/kernels/tuple_search.h"

namespace rankveil::kernels {
namespace {

#if defined(__AVX2__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

template <typename Cost, int bytes>
struct Costs {
  typedef Cost Vector __attribute__((vector_size(bytes)));  // NOLINT: `using` drops the size

  static Vector least(Vector a, Vector b) { return a < b ? a : b; }
  static Cost min_in(Vector all) {
    if constexpr (bytes > 16) {
      using Half = Costs<Cost, bytes / 2>;
      typename Half::Vector halves[2];
      std::memcpy(halves, &all, sizeof halves);
      return Half::min_in(Half::least(halves[0], halves[1]));
    }
#if defined(__SSE4_1__)
    if constexpr (sizeof(Cost) <= 2 && bytes == 16) {
      auto numbers = reinterpret_cast<__m128i>(all);
      // Two bytes as one number: the lower of both, with zeros above.
      if (sizeof(Cost) == 1) numbers = _mm_min_epu8(numbers, _mm_srli_epi16(numbers, 8));
      return static_cast<Cost>(_mm_extract_epi16(_mm_minpos_epu16(numbers), 0));
    }
#endif
    Cost least = all[0];
    for (std::size_t i = 1; i < bytes / sizeof(Cost); ++i) least = all[i] < least ? all[i] : least;
    return least;
  }
};

// Plain loops over registers of the instruction set. No sum overflows: costs, and sums that are
// kept, are at most half of the highest number (LaneForm::cap).
template <typename Cost>
struct Lanes {
  using All = Costs<Cost, register_bytes>;
  using Vector = typename All::Vector;
  static constexpr std::uint32_t width = register_bytes / sizeof(Cost);

  static Vector load(const Cost* from) {
    Vector vector;
    std::memcpy(&vector, from, sizeof vector);
    return vector;
  }
  static Cost min_sum(const Cost* left, const Cost* right, std::uint32_t count) {
    Vector made = load(left) + load(right);
    for (std::uint32_t i = width; i < count; i += width) {
      made = All::least(made, load(left + i) + load(right + i));
    }
    return All::min_in(made);
  }
  // Also says the least.
  static Cost add(const Cost* left, const Cost* right, std::uint32_t count, Cost* sums) {
    constexpr Cost most = static_cast<Cost>(-1) / 2;
    Vector made = Vector{} + most;
    for (std::uint32_t i = 0; i < count; i += width) {
      Vector sum = All::least(load(left + i) + load(right + i), Vector{} + most);
      std::memcpy(sums + i, &sum, sizeof sum);
      made = All::least(made, sum);
    }
    return All::min_in(made);
  }
  // Lanes below `limit`, ascending.
  static std::uint32_t below(const Cost* costs, std::uint32_t count, Cost limit,
                             Candidate<Cost>* out) {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < count; i += width) {
      auto yes = load(costs + i) < limit;
      std::uint64_t words[sizeof yes / 8];
      std::memcpy(words, &yes, sizeof yes);
      std::uint64_t any = 0;
      for (std::uint64_t word : words) any |= word;
      for (std::uint32_t at = i; any != 0 && at < i + width; ++at) {
        out[found].lane = at;
        found += costs[at] < limit ? 1 : 0;
      }
    }
    return found;
  }
};

template <typename Cost>
struct SearchBody {
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
    std::uint32_t count =
        Lanes<Cost>::below(state + first, search.first[group + 1] - first, limit, list);
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
      Cost least = Lanes<Cost>::min_sum(state + last, pairs, length);
      if (least >= limit) continue;
      search.best = now + least;
      search.path[group] = lane;
      keep_choice(search, state + last, pairs, least);
    }
  }

  static void keep_choice(Search& search, const Cost* state, const Cost* pairs, Cost least) {
    std::uint32_t lane = 0;
    while (state[lane] + pairs[lane] != least) ++lane;
    for (std::uint32_t i = 0; i + 1 < search.groups; ++i) search.chosen[i] = search.path[i];
    search.chosen[search.groups - 1] = lane;
  }

  // Sets the bounds of the lanes in the list and keeps those that can still win, best first.
  static std::uint32_t keep_promising(Search& search, std::uint32_t group, const Cost* state,
                                      Sum paid, Candidate<Cost>* list, std::uint32_t count) {
    const std::uint32_t* first = search.first + group + 1;
    const std::uint32_t after = search.groups - group - 1;
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
      Sum bound = own[lane] + min_sums(rest, pairs + lane * length, first, after);
      // No branch: one in four or so is kept, which nobody can predict.
      list[kept] = {static_cast<Sum>(paid + bound), lane};
      kept += bound < limit ? 1 : 0;
    }
    for (std::uint32_t i = 1; i < kept; ++i) insert(list, i, list[i]);
    return kept;
  }

  // The least sum of each group, added up. Group g begins at first[g] - first[0].
  static Sum min_sums(const Cost* left, const Cost* right, const std::uint32_t* first,
                      std::uint32_t groups) {
    Sum rest = 0;
    for (std::uint32_t g = 0; g < groups; ++g) {
      std::uint32_t at = first[g] - first[0];
      rest += Lanes<Cost>::min_sum(left + at, right + at, first[g + 1] - first[g]);
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
          Lanes<Cost>::add(state + at, pairs + (at - base), search.first[g + 1] - at, child + at);
      if (g > group + 1) rest += least;
    }
    return rest;
  }
};

constexpr TupleSearchKernel kernel_of(Isa isa) {
  return {isa,
          &SearchBody<std::uint8_t>::run,
          &SearchBody<std::uint16_t>::run,
          &SearchBody<std::uint32_t>::run,
          &SearchBody<std::uint64_t>::run,
          &SearchBody<Wide128>::run};
}

}  // namespace
}  // namespace rankveil::kernels
