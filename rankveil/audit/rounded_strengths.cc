#include "rankveil/audit/rounded_strengths.h"

#include <bit>
#include <cmath>

#include "rankveil/protect/fewer_bitmaps.h"

namespace rankveil::audit {

RoundedStrengths::RoundedStrengths(const Demand& demand, std::uint32_t domain,
                                   const KindNumbers& numbers,
                                   const std::vector<std::uint32_t>& kinds, bool one_batch)
    : levels_(demand.levels), one_batch_(one_batch) {
  auto all = static_cast<std::uint32_t>(std::bit_width(levels_));
  if (bitmaps_of(demand) >= all) {
    one_batch_ = true;  // at any time
    bits_.assign(domain, (1U << all) - 1);
    return;
  }
  bits_.assign(domain, 0);
  std::vector<bool> seen(numbers.count(), false);
  for (std::uint32_t kind : kinds) {
    if (kind >= seen.size() || seen[kind]) continue;
    seen[kind] = true;
    for (const auto& [value, strength] : numbers.of(kind)) {
      bits_[value] |= static_cast<std::uint32_t>(std::lround(strength * levels_));
    }
  }
}

std::uint32_t RoundedStrengths::served(std::uint32_t value, std::uint32_t level) const {
  return nearest_sum(level, bits_[value], levels_);
}

// Of all bits that a row's value may have been rounded to, its own ones leave most room.
RoundedStrengths::Range RoundedStrengths::behind(std::uint32_t value, double strength) const {
  double scaled = strength * levels_;
  auto level = static_cast<std::uint32_t>(std::lround(scaled));
  std::uint32_t bits = one_batch_ ? bits_[value] : level;
  std::uint32_t least = level;
  while (least > 0 && nearest_sum(least - 1, bits, levels_) == level) --least;
  std::uint32_t most = level;
  while (most < levels_ && nearest_sum(most + 1, bits, levels_) == level) ++most;
  return {(scaled - (level - least) - 0.5) / levels_, (scaled + (most - level) + 0.5) / levels_};
}

}  // namespace rankveil::audit
