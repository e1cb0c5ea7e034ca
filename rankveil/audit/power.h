// How small a leak an audit would have found: what "nothing was found" is worth.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/audit/audit_report.h"

namespace rankveil::audit {

// Findings whose verdict is a test of right guesses: those with a promise, without the baselines
// and the checks that make no guesses.
std::uint64_t count_comparisons(const std::vector<Finding>& findings);

// What a finding is held against: the subject's promise, or nothing.
// Over R nothing is promised about a `trained` bet on one column: what is believed of somebody who
// moved depends on what all columns show, and no model of public values says that. Whether coins
// are hidden is the finding about all columns.
Promise promise_of(const Subject& subject, const Finding& finding);

// One statement for each of them, in their order.
std::vector<Power> power_of(const std::vector<Finding>& findings, std::uint64_t comparisons);

}  // namespace rankveil::audit
