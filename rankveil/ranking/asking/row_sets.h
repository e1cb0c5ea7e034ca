// Sets of an index's rows: a bitmap for each segment, in the order of its planes.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "rankveil/ranking/asking/bound_request.h"
#include "rankveil/ranking/store/state.h"

namespace rankveil {

using Bitmap = std::vector<std::uint64_t>;  // whole lines, nothing behind the last row

class RowSets {
 public:
  explicit RowSets(const Index::State& state) : bitmaps_(state.slots.size()) {}

  Bitmap& operator[](std::size_t segment) { return bitmaps_[segment]; }
  const Bitmap& operator[](std::size_t segment) const { return bitmaps_[segment]; }
  std::size_t segments() const { return bitmaps_.size(); }

  std::uint32_t count() const;

  // Calls visit(segment, position) for every row.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t s = 0; s < bitmaps_.size(); ++s) {
      for (std::size_t i = 0; i < bitmaps_[s].size(); ++i) {
        for (std::uint64_t left = bitmaps_[s][i]; left != 0; left &= left - 1) {
          visit(s, static_cast<std::uint32_t>(i * 64) +
                       static_cast<std::uint32_t>(std::countr_zero(left)));
        }
      }
    }
  }

 private:
  std::vector<Bitmap> bitmaps_;
};

RowSets all_rows(const Index::State& state);
RowSets passing_rows(const Index::State& state, const BoundCondition& condition);

// The rows of `among` that have the value.
Bitmap rows_with(const Plane& plane, const Bitmap& among);
std::uint32_t count_with(const Plane& plane, const Bitmap& among);

}  // namespace rankveil
