// What strengths of rows were rounded to, read off their profiles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/audit/profile_kinds.h"
#include "rankveil/protect/demand.h"

namespace rankveil::audit {

// Of one attribute under a scheme that rounds to levels and then to few of them
// (protect/chance/fewer_bitmaps.h). Which levels a value has is no secret: each of them is some
// row's.
class RoundedStrengths {
 public:
  // `kinds`: profiles that hold signals, as `numbers` numbers them; others are passed over. Without
  // `one_batch`, rows were rounded at different times, and what the levels of a value were for a
  // row is not known.
  RoundedStrengths(const Demand& demand, std::uint32_t domain, const KindNumbers& numbers,
                   const std::vector<std::uint32_t>& kinds, bool one_batch = true);

  // The profile of a row with these levels, by value. One without any is served with none, whatever
  // other rows have.
  Strengths profile(std::span<const std::uint32_t> levels) const;

  // The strengths before all rounding that may be behind a served one.
  struct Range {
    double least;
    double most;
  };
  Range behind(std::uint32_t value, double strength) const;

 private:
  std::uint32_t served(std::uint32_t value, std::uint32_t level) const;
  StrengthSet all_levels() const;

  std::uint32_t levels_;
  bool one_batch_;
  std::vector<StrengthSet> sets_;  // by value
};

}  // namespace rankveil::audit
