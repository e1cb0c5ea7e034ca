// From findings to a report that is judged: what every audit does in the end.
#pragma once

#include "rankveil/audit/audit_report.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

// Fills promises, verdicts and reasons of all findings, how many tests were made, and their power.
// Reads subject, control and effects.
void judge_findings(AuditReport& report);

// What public values alone tell, by private attribute and of all.
std::vector<PublicPrior> public_priors_of(const Table& truth, std::uint32_t threads,
                                          std::optional<AttributeId> person);

}  // namespace rankveil::audit
