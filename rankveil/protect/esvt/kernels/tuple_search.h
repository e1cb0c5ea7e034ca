// The inner loop of esvt: a depth-first search for the cheapest choice of one lane per group.
//
// A lane is one combination of classes of a group of attributes. A choice costs the sum of its
// lanes' own costs, and for every two of its lanes what they add to each other, which is never
// negative. So the least own costs of the open groups, added to what was paid, bound a choice from
// below. All kernels visit the same nodes and give the same answer.
#pragma once

#include <cstdint>

#include "rankveil/base/cpu.h"

namespace rankveil::kernels {

using Wide128 = unsigned __int128;

// What a sum of costs is held in, which never overflows.
template <typename Cost>
struct CostSum {
  using Type = std::uint32_t;
};
template <>
struct CostSum<std::uint32_t> {
  using Type = std::uint64_t;
};
template <>
struct CostSum<std::uint64_t> {
  using Type = Wide128;
};
template <>
struct CostSum<Wide128> {
  using Type = Wide128;
};

template <typename Cost>
struct Candidate {
  typename CostSum<Cost>::Type bound;
  std::uint32_t lane;
};

// Plain pointers: no code may be shared between files compiled for different instruction sets.
template <typename Cost>
struct TupleSearch {
  std::uint32_t groups;        // at least 2
  const std::uint32_t* first;  // [groups + 1]; a group's lanes in a state; multiples of 64 bytes
  const Cost* const* pairs;    // [group][lane][what it adds to the lanes of all later groups]
  Cost* states;  // [group] states; the caller fills the first; unused lanes: LaneForm::cap
  Candidate<Cost>* candidates;        // [group] lists of first[groups]
  std::uint32_t* path;                // [groups]; scratch
  std::uint32_t* chosen;              // [groups]; the lanes of the best choice
  typename CostSum<Cost>::Type best;  // only choices below are looked for; then the best one's cost
  std::uint64_t nodes_left;           // lanes to look at; 0 at the end: given up
};

struct TupleSearchKernel {
  Isa isa;
  void (*search8)(TupleSearch<std::uint8_t>& search);
  void (*search16)(TupleSearch<std::uint16_t>& search);
  void (*search32)(TupleSearch<std::uint32_t>& search);
  void (*search64)(TupleSearch<std::uint64_t>& search);
  void (*search128)(TupleSearch<Wide128>& search);
};

const TupleSearchKernel& plain_tuple_search();
const TupleSearchKernel& avx2_tuple_search();

const TupleSearchKernel& tuple_search_for(Isa isa);  // REQUIRES: supported here

}  // namespace rankveil::kernels
