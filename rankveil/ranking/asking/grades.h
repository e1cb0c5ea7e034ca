// How well each value of an attribute fits what is said of it.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/ranking/asking/request.h"
#include "rankveil/table/schema.h"

namespace rankveil {

// Grades are multiples of 1/120, so that halves, thirds, quarters, fifths and tenths are exact.
inline constexpr std::uint32_t full_grade = 120;
using Grades = std::vector<std::uint8_t>;  // by value, in parts of full_grade

// Refuses unknown values, ranges and nearness without an order, and ranges that hold no value. A
// bin of numbers counts in a range by the share of it that lies inside.
Result<Grades> grades_of(const Attribute& attribute, const WishText& wish);

// Whether each value passes, for a condition on all rows: a bin lies in a range or outside, and
// what cuts one is refused.
Result<std::vector<bool>> passing_values(const Attribute& attribute, const ValuesText& test);
Result<std::vector<bool>> passing_values(const Attribute& attribute, const RangeText& test);

}  // namespace rankveil
