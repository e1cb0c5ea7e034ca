// An audit as test results: a suite for each attribute, a case for each method and level.
#pragma once

#include <string>

#include "rankveil/audit/audit_report.h"

namespace rankveil::audit {

// Broken promises fail; what is not decidable or not promised is skipped, with the reason, and so
// is what the baseline knows already: a leak that is no news fails no build. What the gate objects
// to is a suite of its own, "gate". No private value is in it.
std::string to_junit(const AuditReport& report);

}  // namespace rankveil::audit
