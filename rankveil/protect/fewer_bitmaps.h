// Strengths that a query reads in few bitmaps.
//
// A strength is a whole number of levels, kept in one bitmap for each of its bits, and a query
// reads all bitmaps of the values that it asks for: four with 15 levels, where a row's own value
// takes one. Nearly all of what a query costs is reading. So every value keeps the few bits that
// fit its rows best, with the least sum of squared errors, and strengths are rounded to sums of
// those: a value whose rows have the levels 1, 2 and 6, say, to 0, 2, 4 and 6 (bits 2 and 4).
// Bitmaps that no row uses are neither kept nor read.
//
// Promises    nothing changes for any promise: profiles are a function of those that would have
//             been served otherwise, and know nothing else. Whoever has them could do the same.
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

// As many as the demand says, or by default 2 for capped, which has few strengths, and 3 for
// others: with 2, the best ten rows under ldp and rr-mean are noticeably worse where a value is
// common.
std::uint32_t bitmaps_of(const Demand& demand);

// [attribute][value]: the bits of its strengths, as a number of levels.
using BitsInUse = std::vector<std::vector<std::uint32_t>>;

// The bits that some row's strength has.
BitsInUse bits_in_use(const LevelProfiles& profiles);

// The sum of some of `bits` that is nearest to `level`, and at most `levels`; the smaller one of
// two.
std::uint32_t nearest_sum(std::uint32_t level, std::uint32_t bits, std::uint32_t levels);

// The bits, `most` at most, whose sums fit best: `rows[level]` rows have each level, up to
// rows.size() - 1. Those of `before` are among them, however many they are; the fewest of those
// that fit alike, then the lowest. So every bit is used by a row, but for those of `before`.
std::uint32_t best_bits(std::span<const std::uint32_t> rows, std::uint32_t most,
                        std::uint32_t before);

// Rounds the strengths of every value to sums of its best `most` bits, which it returns. `before`:
// bits that other rows have, which are read anyhow; may have fewer values, or none. With as many
// bitmaps as strengths have bits, nothing changes.
// REQUIRES: no copy of the profiles, as for set().
BitsInUse use_fewer_bitmaps(LevelProfiles& profiles, std::uint32_t most, const BitsInUse& before,
                            std::uint32_t threads);
// As a task asks for it.
BitsInUse use_fewer_bitmaps(LevelProfiles& profiles, const Task& task);

}  // namespace rankveil
