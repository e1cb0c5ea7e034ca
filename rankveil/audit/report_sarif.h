// An audit as SARIF 2.1.0: levels of adversaries are the rules, broken promises the results.
#pragma once

#include "rankveil/audit/audit_report.h"
#include "rankveil/base/json.h"

namespace rankveil::audit {

// Results are pinned to the policy, or to the table where there is none. The same attribute, method
// and level is the same alert in the next run. No private value is in it.
Json to_sarif(const AuditReport& report);

}  // namespace rankveil::audit
