// The charts of an audit's page.
#pragma once

#include <string>
#include <vector>

#include "rankveil/audit/audit_report.h"
#include "rankveil/report/chart.h"

namespace rankveil::audit {

// One attribute: right guesses and largest gain by level where profiles were read, and right
// guesses by attack. Intervals, what public values alone give, and what the promise allows are
// marked.
std::vector<reports::Chart> attribute_charts(const AuditReport& report,
                                             const std::string& attribute);

// Recovered values against queries, a chart for each method: before and after protection.
std::vector<reports::Chart> recovery_charts(const AuditReport& report);

// What the release adds to what somebody believed of one person before; none without points.
std::vector<reports::Chart> informed_charts(const AuditReport& report);

}  // namespace rankveil::audit
