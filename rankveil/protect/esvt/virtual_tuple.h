// The exact search behind esvt: the virtual tuple that a workload's queries score most like a given
// tuple, though it differs from it in every private attribute.
//
// Among all tuples of values that are still free it minimises
//   sum over queries of count x (score of the tuple - score of the virtual tuple)^2
// over the private part of the scores. A hard integer problem, small here.
//
// Method  branch and bound. Let x be the weighted 0/1 vector over queries of one class of values,
//         r what is left to explain, and g(x) = |x|^2 - 2<r,x>. Choosing y adds 2<x,y> to every
//         other g(x), which depends on the workload alone: one table serves all tuples. Vectors are
//         not negative, so the sum of the least g of open attributes is a lower bound. Attributes
//         are merged into groups whose combinations are searched as one (kernels/tuple_search.h).
// Exact   in whole numbers, 8 to 128 bits wide as the workload needs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "rankveil/base/cpu.h"
#include "rankveil/base/result.h"
#include "rankveil/protect/esvt/query_view.h"

namespace rankveil {

struct TupleFinderOptions {
  std::uint32_t l = 2;                  // finds l - 1 virtual tuples, which share no value
  std::uint64_t node_budget = 100'000;  // for one virtual tuple
  Isa isa = Isa::Scalar;                // the answer does not depend on it
};

class TupleFinder {
 public:
  static constexpr std::uint16_t no_class = 0xFFFF;  // of a tuple that has no value

  // Refuses counts and weights that no 128-bit number can hold.
  static Result<std::unique_ptr<const TupleFinder>> make(const QueryView& view,
                                                         const TupleFinderOptions& options);
  virtual ~TupleFinder() = default;

  // For each tuple of `own` ([tuple][attribute], classes of the view): its virtual tuples
  // ([tuple][virtual][attribute], in the order they were found, each the best that the ones before
  // leave), and 1 where all of them are proven to be best. Safe to call from several threads.
  // REQUIRES: every attribute has at least l values.
  virtual void find(std::span<const std::uint16_t> own, std::span<std::uint16_t> found,
                    std::span<std::uint8_t> proven) const = 0;
};

}  // namespace rankveil
