// The cases every size is measured on.
#pragma once

#include "bench/versus/topk/contest.h"

namespace rankveil::versus {

// Cases on the same data stand next to each other; exact data come first.
const std::vector<Case>& all_cases();

// True for the cases that are also compared with our own unprotected, unweighted query.
bool has_reference(const Case& what);

// The same seed gives every case of the same kind the same questions.
Task make_task(const Case& what, const Table& table, std::uint64_t seed);
Data make_data(const Case& what, std::shared_ptr<const Table> table, std::uint64_t seed);

}  // namespace rankveil::versus
