#include "rankveil/protect/chance/fewer_bitmaps.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include "rankveil/base/parallel.h"

namespace rankveil {

std::uint32_t bitmaps_of(const Demand& demand) { return demand.bitmaps != 0 ? demand.bitmaps : 2; }

namespace {

std::uint32_t bits_of(std::uint32_t levels) {
  return static_cast<std::uint32_t>(std::bit_width(levels));
}

StrengthSet all_levels(std::uint32_t levels) {
  StrengthSet all(levels + std::size_t{1});
  std::iota(all.begin(), all.end(), std::uint8_t{0});
  return all;
}

// How many rows have each level, apart from those without a signal.
std::vector<std::uint32_t> counts_of(const LevelProfiles& profiles, PrivateId attribute,
                                     std::uint32_t value, std::uint32_t without_signal) {
  ValueId id{static_cast<std::uint16_t>(value)};
  std::vector<std::uint32_t> rows = profiles.count_strengths(attribute, id);
  rows[0] -= without_signal;
  return rows;
}

std::uint32_t count_without(const std::vector<std::uint64_t>& having, std::uint32_t rows) {
  std::uint32_t with = 0;
  for (std::uint64_t word : having) with += static_cast<std::uint32_t>(std::popcount(word));
  return rows - with;
}

}  // namespace

StrengthSets levels_in_use(const LevelProfiles& profiles) {
  StrengthSets sets;
  for (std::uint32_t j = 0; j < profiles.domain_sizes().size(); ++j) {
    auto& values = sets.emplace_back();
    PrivateId attribute{j};
    std::uint32_t without = count_without(profiles.rows_with_any(attribute), profiles.rows());
    for (std::uint32_t v = 0; v < profiles.domain_sizes()[j]; ++v) {
      auto rows = counts_of(profiles, attribute, v, without);
      StrengthSet& used = values.emplace_back();
      for (std::uint32_t level = 0; level < rows.size(); ++level) {
        if (rows[level] > 0) used.push_back(static_cast<std::uint8_t>(level));
      }
    }
  }
  return sets;
}

std::uint32_t nearest_in(const StrengthSet& set, std::uint32_t level) {
  auto above = std::lower_bound(set.begin(), set.end(), level);
  if (above == set.begin()) return *above;
  if (above == set.end()) return set.back();
  std::uint32_t below = *std::prev(above);
  return *above - level < level - below ? *above : below;
}

// Of bits that change together, the highest one has a bitmap. The others count for it where they
// are as it is, and against it where they are the opposite.
std::vector<std::uint32_t> bitmap_weights(const StrengthSet& set) {
  std::vector<std::vector<bool>> changes;
  std::vector<bool> highest;
  std::vector<std::uint32_t> weights;
  for (std::uint32_t bit = 8; bit-- > 0;) {
    std::vector<bool> change;
    for (std::uint32_t level : set) change.push_back((((level ^ set[0]) >> bit) & 1) != 0);
    if (std::count(change.begin(), change.end(), true) == 0) continue;
    bool first = ((set[0] >> bit) & 1) != 0;
    auto place = std::find(changes.begin(), changes.end(), change);
    auto i = static_cast<std::size_t>(place - changes.begin());
    if (place == changes.end()) {
      changes.push_back(change);
      highest.push_back(first);
      weights.push_back(0);
    }
    weights[i] = first == highest[i] ? weights[i] + (1U << bit) : weights[i] - (1U << bit);
  }
  return weights;
}

std::uint32_t bitmaps_for(const StrengthSet& set) {
  return static_cast<std::uint32_t>(bitmap_weights(set).size());
}

namespace {

// Sets of levels that are as large as their bitmaps allow.
class LevelChoices {
 public:
  LevelChoices(std::uint32_t levels, std::uint32_t most) : levels_(levels) {
    for (std::uint32_t weights = 0; weights < 1U << bits_of(levels); ++weights) {
      if (static_cast<std::uint32_t>(std::popcount(weights)) > most) continue;
      for (std::uint32_t least = 0; least <= levels; ++least) add(told(least, weights), most);
    }
    std::sort(choices_.begin(), choices_.end());
    choices_.erase(std::unique(choices_.begin(), choices_.end()), choices_.end());
  }

  bool has(const StrengthSet& levels) const {
    return std::any_of(choices_.begin(), choices_.end(), [&](const auto& choice) {
      const StrengthSet& set = choice.second;
      return std::includes(set.begin(), set.end(), levels.begin(), levels.end());
    });
  }

  StrengthSet best(std::span<const std::uint32_t> rows, const StrengthSet& before,
                   bool with_zero) const {
    std::uint32_t together = 0;
    for (std::uint32_t level : before) together |= level;
    // Where no other set has them all, all sums of their bits do.
    StrengthSet sums = told(0, together);
    Choice best{error(rows, sums), UINT32_MAX, sums};
    for (const auto& [bitmaps, set] : choices_) {
      if (with_zero && set[0] != 0) continue;
      if (!std::includes(set.begin(), set.end(), before.begin(), before.end())) continue;
      Choice here{error(rows, set), bitmaps, set};
      if (std::get<1>(best) == UINT32_MAX || here < best) best = here;
    }
    return std::get<2>(best);
  }

 private:
  using Choice = std::tuple<std::uint64_t, std::uint32_t, StrengthSet>;

  // By bitmaps that count the bits of `weights`, on top of the least.
  StrengthSet told(std::uint32_t least, std::uint32_t weights) const {
    StrengthSet set;
    for (std::uint32_t level = least; level <= levels_; ++level) {
      if (((level - least) & ~weights) == 0) set.push_back(static_cast<std::uint8_t>(level));
    }
    return set;
  }

  // If bitmaps of their bits tell them so: 3, 4, 5 and 6, which are 3 and sums of 1 and 2, take
  // three.
  void add(StrengthSet set, std::uint32_t most) {
    std::vector<std::uint32_t> weights = bitmap_weights(set);
    bool quick = std::all_of(weights.begin(), weights.end(),
                             [](std::uint32_t weight) { return std::has_single_bit(weight); });
    auto bitmaps = static_cast<std::uint32_t>(weights.size());
    if (quick && bitmaps <= most) choices_.emplace_back(bitmaps, std::move(set));
  }

  static std::uint64_t error(std::span<const std::uint32_t> rows, const StrengthSet& set) {
    std::uint64_t error = 0;
    for (std::uint32_t level = 0; level < rows.size(); ++level) {
      std::uint32_t near = nearest_in(set, level);
      std::uint64_t off = level < near ? near - level : level - near;
      error += off * off * rows[level];
    }
    return error;
  }

  std::uint32_t levels_;
  std::vector<std::pair<std::uint32_t, StrengthSet>> choices_;  // with the bitmaps they take
};

// What becomes of each level.
std::vector<std::uint8_t> rounded_levels(const StrengthSet& set, std::uint32_t levels) {
  std::vector<std::uint8_t> to;
  for (std::uint32_t level = 0; level <= levels; ++level) {
    to.push_back(static_cast<std::uint8_t>(nearest_in(set, level)));
  }
  return to;
}

}  // namespace

StrengthSet best_levels(std::span<const std::uint32_t> rows, std::uint32_t most,
                        const StrengthSet& before, bool with_zero) {
  return LevelChoices(static_cast<std::uint32_t>(rows.size() - 1), most)
      .best(rows, before, with_zero);
}

std::vector<bool> may_be_rounded(std::span<const StrengthSet> sets, std::uint32_t levels,
                                 std::uint32_t most) {
  LevelChoices choices(levels, most);
  std::vector<bool> may;
  for (const StrengthSet& set : sets) may.push_back(choices.has(set));
  return may;
}

StrengthSets use_fewer_bitmaps(LevelProfiles& profiles, std::uint32_t most,
                               const StrengthSets& before, std::uint32_t threads) {
  StrengthSets sets;
  for (std::uint32_t size : profiles.domain_sizes()) {
    sets.emplace_back(size, all_levels(profiles.levels()));
  }
  if (most >= profiles.bits()) return sets;
  LevelChoices choices(profiles.levels(), most);
  parallel_for(sets.size(), threads, [&](std::size_t j) {
    PrivateId attribute{static_cast<std::uint32_t>(j)};
    std::vector<std::uint64_t> having = profiles.rows_with_any(attribute);
    std::uint32_t without = count_without(having, profiles.rows());
    std::vector<StrengthSet> mine;
    for (std::uint32_t v = 0; v < sets[j].size(); ++v) {
      bool known = j < before.size() && v < before[j].size();
      mine.push_back(choices.best(counts_of(profiles, attribute, v, without),
                                  known ? before[j][v] : StrengthSet{},
                                  !profiles.has_bitmaps(attribute)));
    }
    for (std::uint32_t v = 0; v < sets[j].size(); ++v) {
      profiles.replace_strengths(attribute, ValueId{static_cast<std::uint16_t>(v)},
                                 rounded_levels(mine[v], profiles.levels()), having);
    }
    sets[j] = std::move(mine);
  });
  return sets;
}

StrengthSets use_fewer_bitmaps(LevelProfiles& profiles, const Task& task) {
  return use_fewer_bitmaps(profiles, bitmaps_of(task.demand), task.levels_before, task.threads);
}

}  // namespace rankveil
