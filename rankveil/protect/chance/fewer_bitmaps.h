// Strengths that a query reads in few bitmaps.
//
// A strength is a whole number of levels, kept in one bitmap for each of its bits, and a query
// reads the bitmaps of the values that it asks for: four with 15 levels, where a row's own value
// takes one. Nearly all of what a query costs is reading. But of bitmaps that tell the same, or the
// opposite, it reads one, and none that have all rows or no row (ranking/store/plane_weights.h). So
// every value keeps a few levels that take few bitmaps, those that fit its rows best, with the
// least sum of squared errors, and strengths are rounded to them: a value whose rows have the
// levels 1, 2, 5 and 7, say, to 1, 2, 5 and 6, which two bitmaps tell.
//
// Promises    nothing changes for any promise: profiles are a function of those that would have
//             been served otherwise, and know nothing else. Whoever has them could do the same.
// No signal   a row with no strength of any value of an attribute keeps none.
// Same        on any number of threads; rounding it again changes nothing.
// Cost        a few operations for each word of a bitmap: 300,000 rows with 80 values take some
//             milliseconds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/protect/task.h"
#include "rankveil/ranking/profiles.h"

namespace rankveil {

// As many as the demand says, or by default 2.
std::uint32_t bitmaps_of(const Demand& demand);

// [attribute][value]: levels that strengths are rounded to.
using StrengthSets = std::vector<std::vector<StrengthSet>>;

// The levels that rows have, apart from those without a signal.
StrengthSets levels_in_use(const LevelProfiles& profiles);

// The number in the set that is nearest; the smaller one of two. REQUIRES: a set with numbers.
std::uint32_t nearest_in(const StrengthSet& set, std::uint32_t level);

// What each of the bitmaps counts that tell levels of this set apart, on top of a constant.
std::vector<std::uint32_t> bitmap_weights(const StrengthSet& set);
// How many they are.
std::uint32_t bitmaps_for(const StrengthSet& set);

// The set that fits best of those that take at most `most` bitmaps, each of which counts a power of
// two (others take longer to add up): `rows[level]` rows have each level, up to rows.size() - 1. It
// has those of `before`, whatever they take; and 0 if `with_zero`. Of sets that fit alike, one that
// takes the fewest bitmaps, then the first.
StrengthSet best_levels(std::span<const std::uint32_t> rows, std::uint32_t most,
                        const StrengthSet& before, bool with_zero);

// Of each of some sets, whether it may be what such rounding leaves: all its levels are in one that
// takes at most `most` bitmaps.
std::vector<bool> may_be_rounded(std::span<const StrengthSet> sets, std::uint32_t levels,
                                 std::uint32_t most);

// Rounds the strengths of every value to its best levels that take `most` bitmaps, and returns
// these. `before`: levels that other rows have, which queries read anyhow; may have fewer values,
// or none. With as many bitmaps as strengths have bits, nothing changes.
// REQUIRES: no copy of the profiles, as for set().
StrengthSets use_fewer_bitmaps(LevelProfiles& profiles, std::uint32_t most,
                               const StrengthSets& before, std::uint32_t threads);
// As a task asks for it.
StrengthSets use_fewer_bitmaps(LevelProfiles& profiles, const Task& task);

}  // namespace rankveil
