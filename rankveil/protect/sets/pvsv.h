// Polymorphic value sets with virtual values (PVSV).
//
// A row matches its own value and, per private attribute, the l - 1 other values of the domain that
// the workload asks for least; ties go by domain order. A row without a value matches the l least
// asked ones.
//
// Promises    a right guess at most once in l, against `ignorant` only.
// Not         against anybody who knows the mechanism: nearly all sets hold the same decoys.
// Falls back  a domain with fewer than l values: the set is all of it, and is counted as short.
//             Rows that take no part: shares.
// Cost        linear: one set per value of a domain, then one look-up per row and attribute.
// Source      Gao and Zhang 2019, algorithm 1, with exactly l - 1 decoys (the listing leaves one
//             too few).
#pragma once

#include <vector>

#include "rankveil/protect/sets/value_sets.h"
#include "rankveil/protect/task.h"

namespace rankveil {

Result<Protection> protect_pvsv(const Task& task);

// The sets it gives, one ValueSets per private attribute: no secret is in them.
std::vector<ValueSets> pvsv_sets(const Schema& schema, const Workload& workload, std::uint32_t l);

}  // namespace rankveil
