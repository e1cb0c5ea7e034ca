// Sort keys as digits of one integer, most significant first, so that no lower key outweighs a
// higher one.
//
// A digit is the row's place among the values, from 1 for the last to d for the best of d; 0 for a
// row without a value, which so comes last, ascending or descending. Where private values are known
// by strengths, it is the sum of place x strength in parts of 1/4096, rounded half up, and d at
// most; where they are known as sets, the best place in the set.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/ranking/asking/bound_request.h"
#include "rankveil/ranking/profiles.h"

namespace rankveil {

inline constexpr std::uint32_t parts_of_place = 4096;

// The best digit of a key. `graded`: private values have strengths between none and full.
std::int64_t best_digit(const BoundKey& key, const Schema& schema, bool graded);

// Refuses keys whose digits do not fit 62 bits together.
Status check_keys(const BoundRequest& request, const Schema& schema, bool graded);

// round(numerator / denominator) x parts_of_place, half up, and at most `best`.
std::int64_t rounded_digit(__int128 numerator, __int128 denominator, std::int64_t best);

}  // namespace rankveil
