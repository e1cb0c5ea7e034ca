#include "rankveil/audit/rounded_strengths.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "rankveil/protect/chance/fewer_bitmaps.h"

namespace rankveil::audit {

namespace {

void insert(StrengthSet& set, std::uint32_t level) {
  auto place = std::lower_bound(set.begin(), set.end(), level);
  if (place == set.end() || *place != level) set.insert(place, static_cast<std::uint8_t>(level));
}

}  // namespace

RoundedStrengths::RoundedStrengths(const Demand& demand, std::uint32_t domain,
                                   const KindNumbers& numbers,
                                   const std::vector<std::uint32_t>& kinds, bool one_batch)
    : levels_(demand.levels), one_batch_(one_batch), sets_(domain) {
  if (bitmaps_of(demand) >= static_cast<std::uint32_t>(std::bit_width(levels_))) {
    one_batch_ = true;  // at any time
    sets_.assign(domain, all_levels());
    return;
  }
  std::vector<bool> seen(numbers.count(), false);
  for (std::uint32_t kind : kinds) {
    if (kind >= seen.size() || seen[kind]) continue;
    seen[kind] = true;
    if (numbers.of(kind).empty()) continue;  // no signal
    std::vector<std::uint32_t> levels(domain, 0);
    for (const auto& [value, strength] : numbers.of(kind)) {
      levels[value] = static_cast<std::uint32_t>(std::lround(strength * levels_));
    }
    for (std::uint32_t value = 0; value < domain; ++value) insert(sets_[value], levels[value]);
  }
  // Levels that no rounding leaves are taken for what they are.
  std::vector<bool> may = may_be_rounded(sets_, levels_, bitmaps_of(demand));
  for (std::uint32_t value = 0; one_batch_ && value < domain; ++value) {
    if (!may[value]) sets_[value] = all_levels();
  }
}

StrengthSet RoundedStrengths::all_levels() const {
  StrengthSet all(levels_ + std::size_t{1});
  std::iota(all.begin(), all.end(), std::uint8_t{0});
  return all;
}

std::uint32_t RoundedStrengths::served(std::uint32_t value, std::uint32_t level) const {
  return sets_[value].empty() ? level : nearest_in(sets_[value], level);
}

Strengths RoundedStrengths::profile(std::span<const std::uint32_t> levels) const {
  Strengths strengths;
  bool silent = std::all_of(levels.begin(), levels.end(), [](auto level) { return level == 0; });
  for (std::uint32_t v = 0; !silent && v < levels.size(); ++v) {
    std::uint32_t level = served(v, levels[v]);
    if (level > 0) strengths.emplace_back(v, static_cast<double>(level) / levels_);
  }
  return strengths;
}

// Where the other levels of its time are not known, any may have become this one.
RoundedStrengths::Range RoundedStrengths::behind(std::uint32_t value, double strength) const {
  double scaled = strength * levels_;
  auto level = static_cast<std::uint32_t>(std::lround(scaled));
  StrengthSet set = one_batch_ ? sets_[value] : StrengthSet{};
  insert(set, level);
  std::uint32_t least = level;
  while (least > 0 && nearest_in(set, least - 1) == level) --least;
  std::uint32_t most = level;
  while (most < levels_ && nearest_in(set, most + 1) == level) ++most;
  return {(scaled - (level - least) - 0.5) / levels_, (scaled + (most - level) + 0.5) / levels_};
}

}  // namespace rankveil::audit
