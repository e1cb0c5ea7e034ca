// Sorted Weight: pairs of rows in ascending order of how many private values they share.
//
// Gives the pairs that sorting all pairs (i, j), i < j, by (Same, i, j) and taking each whose rows
// are both free would give, in that order; a row is left over when their number is odd. Bitmaps of
// the rows with each value find the first partner without listing the pairs: 64 rows a word.
//
// Cost  O(g^2 m' / 64) words for g rows in the worst case; near O(g m') where most rows have a
//       partner that shares nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/protect/estt/code_rows.h"

namespace rankveil {

// Partners side by side; the row that is left over, if any, at the end.
std::vector<std::uint32_t> sorted_weight(const CodeRows& rows);

}  // namespace rankveil
