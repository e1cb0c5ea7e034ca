#include "rankveil/protect/fewer_bitmaps.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "rankveil/base/parallel.h"

namespace rankveil {

std::uint32_t bitmaps_of(const Demand& demand) {
  if (demand.bitmaps != 0) return demand.bitmaps;
  return demand.scheme == "capped" ? 2 : 3;
}

BitsInUse bits_in_use(const LevelProfiles& profiles) {
  BitsInUse bits;
  for (std::uint32_t j = 0; j < profiles.domain_sizes().size(); ++j) {
    auto& values = bits.emplace_back();
    for (std::uint32_t v = 0; v < profiles.domain_sizes()[j]; ++v) {
      auto rows = profiles.count_strengths(PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)});
      std::uint32_t used = 0;
      for (std::uint32_t level = 1; level < rows.size(); ++level) {
        if (rows[level] > 0) used |= level;
      }
      values.push_back(used);
    }
  }
  return bits;
}

// Sums of bits are the numbers that have no other bit.
std::uint32_t nearest_sum(std::uint32_t level, std::uint32_t bits, std::uint32_t levels) {
  std::uint32_t below = level;
  while ((below & ~bits) != 0) --below;
  for (std::uint32_t above = level; above <= levels && above - level < level - below; ++above) {
    if ((above & ~bits) == 0) return above;
  }
  return below;
}

namespace {

// What every set of at most `most` bits makes of every level.
class BitSets {
 public:
  BitSets(std::uint32_t levels, std::uint32_t bits, std::uint32_t most) : most_(most) {
    for (std::uint32_t set = 0; set < 1U << bits; ++set) {
      auto& sums = sums_.emplace_back();
      for (std::uint32_t level = 0; level <= levels; ++level) {
        sums.push_back(static_cast<std::uint8_t>(nearest_sum(level, set, levels)));
      }
    }
  }

  std::uint32_t best(std::span<const std::uint32_t> rows, std::uint32_t before) const {
    auto held = static_cast<std::uint32_t>(std::popcount(before));
    std::tuple<std::uint64_t, int, std::uint32_t> best{UINT64_MAX, 0, before};
    for (std::uint32_t set = 0; set < sums_.size(); ++set) {
      auto size = std::popcount(set);
      bool fits = static_cast<std::uint32_t>(size) <= std::max(most_, held);
      if (!fits || (set & before) != before) continue;
      best = std::min(best, {error(rows, sums_[set]), size, set});
    }
    return std::get<2>(best);
  }
  std::span<const std::uint8_t> sums(std::uint32_t set) const { return sums_[set]; }

 private:
  static std::uint64_t error(std::span<const std::uint32_t> rows,
                             const std::vector<std::uint8_t>& sums) {
    std::uint64_t error = 0;
    for (std::uint32_t level = 0; level < rows.size(); ++level) {
      std::uint64_t off = level < sums[level] ? sums[level] - level : level - sums[level];
      error += off * off * rows[level];
    }
    return error;
  }

  std::uint32_t most_;
  std::vector<std::vector<std::uint8_t>> sums_;
};

}  // namespace

std::uint32_t best_bits(std::span<const std::uint32_t> rows, std::uint32_t most,
                        std::uint32_t before) {
  auto levels = static_cast<std::uint32_t>(rows.size() - 1);
  return BitSets(levels, static_cast<std::uint32_t>(std::bit_width(levels)), most)
      .best(rows, before);
}

BitsInUse use_fewer_bitmaps(LevelProfiles& profiles, std::uint32_t most, const BitsInUse& before,
                            std::uint32_t threads) {
  BitsInUse bits;
  std::uint32_t all = (1U << profiles.bits()) - 1;
  for (std::uint32_t size : profiles.domain_sizes()) bits.emplace_back(size, all);
  if (most >= profiles.bits()) return bits;
  BitSets sets(profiles.levels(), profiles.bits(), most);
  parallel_for(bits.size(), threads, [&](std::size_t j) {
    PrivateId attribute{static_cast<std::uint32_t>(j)};
    for (std::uint32_t v = 0; v < bits[j].size(); ++v) {
      ValueId value{static_cast<std::uint16_t>(v)};
      bool known = j < before.size() && v < before[j].size();
      bits[j][v] = sets.best(profiles.count_strengths(attribute, value), known ? before[j][v] : 0);
      profiles.replace_strengths(attribute, value, sets.sums(bits[j][v]));
    }
  });
  return bits;
}

BitsInUse use_fewer_bitmaps(LevelProfiles& profiles, const Task& task) {
  return use_fewer_bitmaps(profiles, bitmaps_of(task.demand), task.bits_before, task.threads);
}

}  // namespace rankveil
