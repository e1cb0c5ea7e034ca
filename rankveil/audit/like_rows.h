// Rows that are alike before any ranking is seen, and how common values are among them: the prior
// that promises about gain start from, made of public columns and the declared ladder alone.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/audit/known_groups.h"
#include "rankveil/audit/levels.h"

namespace rankveil::audit {

// As the ladder of the mechanism puts them, or, where none is known (null), that of a demand's
// defaults.
KnownGroups like_rows(const Table& table, const Mechanism* mechanism);
KnownGroups like_rows(const Observed& observed);

// How common each value of one private attribute is in every group; behind the values, none.
class AttributeShares {
 public:
  AttributeShares(const Table& table, std::uint32_t attribute, const KnownGroups& groups);

  std::uint32_t codes() const { return codes_; }  // values, and one for none
  std::uint32_t code(std::uint32_t row) const { return code_of_[row]; }
  std::span<const double> of(std::uint32_t group) const {
    return std::span(shares_).subspan(std::size_t{group} * codes_, codes_);
  }

 private:
  std::uint32_t codes_;
  std::vector<std::uint32_t> code_of_;
  std::vector<double> shares_;  // [group][code]
};

}  // namespace rankveil::audit
