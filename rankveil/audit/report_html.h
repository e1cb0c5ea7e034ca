// An audit as one self-contained HTML page, for people who were not there.
#pragma once

#include <string>

#include "rankveil/audit/audit_report.h"

namespace rankveil::audit {

// Verdict, key figures, each attribute with its adversaries, recovered values by queries, the
// shortest transcript, how sure the audit is, and how it was done. Like the report itself, the page
// may name a private value of a row: that of the transcript.
std::string to_html(const AuditReport& report);

}  // namespace rankveil::audit
