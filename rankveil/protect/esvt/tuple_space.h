// The numbers that the search for virtual tuples needs, made once per workload.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/protect/esvt/query_view.h"

namespace rankveil {

// Which class of which attribute a column of the tables below stands for. Attributes stand in the
// order of the search: those whose wrong choice costs most come first.
struct TupleOrder {
  std::vector<std::uint32_t> attributes;              // [place]
  std::vector<std::uint32_t> first;                   // [place + 1]; its columns
  std::vector<std::uint16_t> class_at;                // [column]
  std::vector<std::vector<std::uint32_t>> column_of;  // [place][class]; no_column: left out
  // Some attribute has more classes than are searched, so nothing can be proven.
  bool cut = false;

  static constexpr std::uint32_t no_column = 0xFFFFFFFF;
  std::uint32_t places() const { return static_cast<std::uint32_t>(attributes.size()); }
  std::uint32_t columns() const { return first.back(); }
};
// At least `fewest` classes of every attribute stay.
TupleOrder order_attributes(const QueryView& view, std::uint32_t fewest);

// Neighbouring attributes whose combinations of classes are searched as one.
struct TupleGroup {
  std::uint32_t first_place;
  std::uint32_t last_place;  // behind the last
  std::uint32_t lanes;       // combinations; the last attribute's class changes fastest
};
std::vector<TupleGroup> group_attributes(const TupleOrder& order);

// The column of the attribute at `place` in a lane of its group.
std::uint32_t column_in_lane(const TupleOrder& order, const TupleGroup& group, std::uint32_t place,
                             std::uint32_t lane);

// The largest number that the search can meet is a small multiple of this: the sum over queries of
// count x (sum of the weights it asks for)^2. Infinite when that is far beyond 128 bits.
double largest_objective(const QueryView& view);

// `Number` is signed and holds 32 times largest_objective.
template <typename Number>
struct TupleTables {
  std::vector<Number> counts;  // [query]
  std::vector<Number> norm;    // [column]; |x|^2
  std::vector<Number> asks;    // [query][column]; 2 count x weight where the query asks for it
  std::vector<Number> twice;   // [column][column]; 2<x,y>
};
template <typename Number>
TupleTables<Number> make_tables(const QueryView& view, const TupleOrder& order);

}  // namespace rankveil
