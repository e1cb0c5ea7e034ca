// Whether a ranking sticks to what it said.
//
// Whoever gets two answers to one question, drawn anew each time, intersects them. So the same
// query has the same answer, now and later; a row that showed something shows it in the next
// release; and the shares of a group move by many rows or not at all: a share that moves by one row
// spells out that row's values.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/audit/arena.h"
#include "rankveil/audit/finding.h"

namespace rankveil::audit {

// Asks `queries` different questions of one target forwards and backwards, and of another fresh
// one.
Result<Finding> check_answers(const Arena& arena, std::uint64_t seed, std::uint32_t queries = 20);

// Two releases, or two builds with one key: rows that show something in both show the same.
// `names` calls the rows of `first`, which are the first rows of `second`. `there`: per row, 1:
// both have it; empty: they have all.
Finding check_builds(const RowNames& names, const Profiles& first, const Profiles& second,
                     const std::vector<std::uint8_t>& there = {});

// The same releases: shares of groups stayed, or moved by at least `min_group` rows.
Finding check_shares(const RowNames& names, const Profiles& first, const Profiles& second,
                     std::uint32_t min_group, const std::vector<std::uint8_t>& there = {});

}  // namespace rankveil::audit
