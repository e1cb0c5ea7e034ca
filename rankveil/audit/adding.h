// What adding up rows tells: rows that are alike in a served column are often one person's.
//
// Where a person's rows were protected apart, each of them shows the own value more often than
// chance, so their sum shows it nearly always. One bet is made for each value of a column that
// stands in 2 to 99 rows: on what its rows show more of than all rows do. It is won where one of
// these rows, drawn by the seed, has that value. The prior is the share of all other rows that have
// it. Where a person's rows show one person's values, the sum says no more than one row does.
//
// Columns   public ones whose values stand in so few rows for at least half of the rows; those of
//           the most values first, at most ten. What the policy says is known from a column is not
//           asked of it.
// Cost      a pass over all profiles for each private attribute and column.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/audit/finding.h"
#include "rankveil/audit/levels.h"

namespace rankveil::audit {

// "rows alike in patient_nbr": how such a finding calls its method.
std::string adding_method(const std::string& column);

// One finding for each private attribute, of the column that tells most; none: no column repeats.
// `known`: per private attribute, columns that are known to tell it.
std::vector<Finding> judge_adding(const Observed& observed,
                                  const std::vector<std::vector<AttributeId>>& known,
                                  std::uint64_t seed, std::uint32_t threads);

}  // namespace rankveil::audit
