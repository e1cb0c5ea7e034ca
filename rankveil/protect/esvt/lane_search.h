// The search over combinations of classes, at the width that the costs at hand need.
//
// Used by virtual_tuple.cc alone: it joins a workload's tables to the kernels of
// kernels/tuple_search.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <span>
#include <vector>

#include "rankveil/protect/esvt/kernels/tuple_search.h"

namespace rankveil {

// Memory that starts on a cache line: no vector then lies on two.
template <typename T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  LineAllocator() = default;
  template <typename Other>
  LineAllocator(const LineAllocator<Other>&) {}  // NOLINT: implicit
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), line));
  }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, line); }
  bool operator==(const LineAllocator&) const { return true; }
};
template <typename T>
using LineVector = std::vector<T, LineAllocator<T>>;

// Memory of one thread.
template <typename Cost>
struct LaneMemory {
  LineVector<Cost> states;
  std::vector<kernels::Candidate<Cost>> candidates;
};
struct LaneMemories {
  LaneMemory<std::uint8_t> bits8;
  LaneMemory<std::uint16_t> bits16;
  LaneMemory<std::uint32_t> bits32;
  LaneMemory<std::uint64_t> bits64;
  LaneMemory<kernels::Wide128> bits128;
  std::vector<std::uint32_t> path;
  std::vector<std::uint32_t> chosen;  // [group]; the lanes that were found
};

enum class SearchEnd {
  Kept,            // nothing is below the limit
  Improved,        // memory.chosen is the cheapest
  GaveUp,          // the nodes ran out; nothing below the limit was found
  GaveUpImproved,  // the nodes ran out; memory.chosen is below the limit
};

// What the lanes of one group add to those of another, as costs of one width. Made when first
// needed; most workloads need one or two widths.
template <typename Cost>
class LaneForm {
 public:
  using Sum = typename kernels::CostSum<Cost>::Type;

  // Costs above this are all alike. Sums of wide costs over all groups must not overflow.
  static Cost cap(std::size_t groups) {
    std::size_t share = sizeof(Cost) == sizeof(kernels::Wide128) ? groups + 2 : 2;
    return static_cast<Cost>(static_cast<Cost>(-1) / share);
  }

  // `pair_cost(group, lane, other_group, other_lane)`, for later other groups.
  template <typename PairCost>
  void make_once(std::span<const std::uint32_t> lanes, const PairCost& pair_cost) {
    std::call_once(made_, [&] { make(lanes, pair_cost); });
  }

  // `excess`: each lane's cost, less the least of its group, group by group. Looks for choices that
  // cost less than `limit`, which is at most cap().
  template <typename Number>
  SearchEnd run(void (*kernel)(kernels::TupleSearch<Cost>&), const std::vector<Number>& excess,
                Sum limit, std::uint64_t nodes, LaneMemory<Cost>& memory,
                LaneMemories& memories) const {
    auto groups = static_cast<std::uint32_t>(pairs_.size());
    std::size_t width = first_.back();
    memory.states.resize(groups * width);
    memory.candidates.resize(groups * width);
    fill_state(excess, memory.states);
    kernels::TupleSearch<Cost> search{groups,
                                      first_.data(),
                                      pairs_.data(),
                                      memory.states.data(),
                                      memory.candidates.data(),
                                      memories.path.data(),
                                      memories.chosen.data(),
                                      limit,
                                      nodes};
    kernel(search);
    if (search.nodes_left == 0) {
      return search.best < limit ? SearchEnd::GaveUpImproved : SearchEnd::GaveUp;
    }
    return search.best < limit ? SearchEnd::Improved : SearchEnd::Kept;
  }

 private:
  template <typename PairCost>
  void make(std::span<const std::uint32_t> lanes, const PairCost& pair_cost) {
    constexpr std::uint32_t line = sizeof(Cost) < 64 ? 64 / sizeof(Cost) : 1;
    lanes_.assign(lanes.begin(), lanes.end());
    first_ = {0};
    for (std::uint32_t count : lanes) {
      first_.push_back(first_.back() + (count + line - 1) / line * line);
    }
    std::size_t size = 0;
    std::vector<std::size_t> begins;
    for (std::size_t g = 0; g < lanes.size(); ++g) {
      begins.push_back(size);
      size += std::size_t{lanes[g]} * (first_.back() - first_[g + 1]);
    }
    numbers_.assign(size, cap(lanes.size()));
    for (std::uint32_t g = 0; g < lanes.size(); ++g) fill_pairs(g, begins[g], pair_cost);
    for (std::size_t begin : begins) pairs_.push_back(numbers_.data() + begin);
  }

  template <typename PairCost>
  void fill_pairs(std::uint32_t group, std::size_t begin, const PairCost& pair_cost) {
    Cost most = cap(lanes_.size());
    std::size_t length = first_.back() - first_[group + 1];
    for (std::uint32_t lane = 0; lane < lanes_[group]; ++lane) {
      Cost* row = numbers_.data() + begin + lane * length;
      for (std::uint32_t other = group + 1; other < lanes_.size(); ++other) {
        for (std::uint32_t i = 0; i < lanes_[other]; ++i) {
          auto cost = pair_cost(group, lane, other, i);
          row[first_[other] - first_[group + 1] + i] = capped(cost, most);
        }
      }
    }
  }

  template <typename Number>
  static Cost capped(Number cost, Cost most) {
    if constexpr (sizeof(Number) <= sizeof(Cost)) {
      return std::min(static_cast<Cost>(cost), most);
    } else {
      return static_cast<Cost>(std::min(cost, static_cast<Number>(most)));
    }
  }

  template <typename Number>
  void fill_state(const std::vector<Number>& excess, LineVector<Cost>& states) const {
    Cost most = cap(lanes_.size());
    const Number* from = excess.data();
    for (std::size_t g = 0; g < lanes_.size(); ++g) {
      Cost* to = states.data() + first_[g];
      for (std::uint32_t i = 0; i < lanes_[g]; ++i) to[i] = capped(from[i], most);
      std::fill(to + lanes_[g], states.data() + first_[g + 1], most);
      from += lanes_[g];
    }
  }

  std::once_flag made_;
  std::vector<std::uint32_t> lanes_;
  std::vector<std::uint32_t> first_;
  LineVector<Cost> numbers_;
  std::vector<const Cost*> pairs_;
};

// All widths. `Number` is what costs are counted in outside.
template <typename Number>
class LaneSearch {
 public:
  LaneSearch(const kernels::TupleSearchKernel& kernel, std::vector<std::uint32_t> lanes)
      : kernel_(kernel), lanes_(std::move(lanes)) {}

  // See LaneForm::run. REQUIRES: at least two groups.
  template <typename PairCost>
  SearchEnd run(const std::vector<Number>& excess, Number limit, std::uint64_t nodes,
                const PairCost& pair_cost, LaneMemories& memories) {
    memories.path.resize(lanes_.size());
    memories.chosen.resize(lanes_.size());
    auto try_form = [&](auto& form, auto kernel, auto& memory) {
      form.make_once(lanes_, pair_cost);
      using Sum = typename std::remove_reference_t<decltype(form)>::Sum;
      return form.run(kernel, excess, static_cast<Sum>(limit), nodes, memory, memories);
    };
    if (fits<std::uint8_t>(limit)) return try_form(form8_, kernel_.search8, memories.bits8);
    if (fits<std::uint16_t>(limit)) return try_form(form16_, kernel_.search16, memories.bits16);
    if (fits<std::uint32_t>(limit)) return try_form(form32_, kernel_.search32, memories.bits32);
    if (fits<std::uint64_t>(limit)) return try_form(form64_, kernel_.search64, memories.bits64);
    return try_form(form128_, kernel_.search128, memories.bits128);
  }

 private:
  template <typename Cost>
  bool fits(Number limit) const {
    if constexpr (sizeof(Number) < sizeof(Cost)) return true;
    return static_cast<kernels::Wide128>(limit) <= LaneForm<Cost>::cap(lanes_.size());
  }

  const kernels::TupleSearchKernel& kernel_;
  std::vector<std::uint32_t> lanes_;
  LaneForm<std::uint8_t> form8_;
  LaneForm<std::uint16_t> form16_;
  LaneForm<std::uint32_t> form32_;
  LaneForm<std::uint64_t> form64_;
  LaneForm<kernels::Wide128> form128_;
};

}  // namespace rankveil
