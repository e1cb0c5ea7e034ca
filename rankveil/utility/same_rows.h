// Which row of one index is which row of another, by name.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/ranking/index.h"

namespace rankveil::utility {

// Pairs the rows of `truth` with the rows of `served` that have the same name.
class SameRows {
 public:
  // Refuses indexes whose rows have different names, saying how many. Rows may stand in another
  // order; but then no two rows may share a name.
  static Result<SameRows> find(const Index& truth, const Index& served);

  // How many pairs there are.
  std::uint32_t size() const { return size_; }
  // Whether row r is row r for all rows.
  bool aligned() const { return served_of_.empty(); }
  // REQUIRES: a row of the truth.
  RowId served_of(RowId truth) const { return aligned() ? truth : RowId{served_of_[+truth]}; }
  // REQUIRES: a row of the served index.
  RowId truth_of(RowId served) const { return aligned() ? served : RowId{truth_of_[+served]}; }

  // Calls visit(row of the truth, row of the served index) for every pair, in the order of the
  // truth.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    if (aligned()) {
      for (std::uint32_t row = 0; row < size_; ++row) visit(row, row);
      return;
    }
    for (std::uint32_t row = 0; row < served_of_.size(); ++row) {
      if (served_of_[row] != nobody) visit(row, served_of_[row]);
    }
  }

 private:
  static constexpr std::uint32_t nobody = UINT32_MAX;
  explicit SameRows(std::uint32_t size) : size_(size) {}
  static bool are_aligned(const Index& truth, const Index& served);

  std::uint32_t size_;
  std::vector<std::uint32_t> served_of_;  // by row of the truth; empty when aligned
  std::vector<std::uint32_t> truth_of_;   // by row of the served index; empty when aligned
};

}  // namespace rankveil::utility
