// How small a leak an audit would have found: what "nothing was found" is worth.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/audit/audit_report.h"

namespace rankveil::audit {

// Findings whose verdict is a test of right guesses: those with a promise, without the baselines
// and the checks that make no guesses.
std::uint64_t count_comparisons(const std::vector<Finding>& findings);

// What findings at a level are held against: the subject's promise, or nothing.
Promise promise_at(const Subject& subject, const std::string& level);

// One statement for each of them, in their order.
std::vector<Power> power_of(const std::vector<Finding>& findings, std::uint64_t comparisons);

}  // namespace rankveil::audit
