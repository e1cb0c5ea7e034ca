// An audit's report for somebody at a terminal.
#pragma once

#include <string>

#include "cli/terminal.h"
#include "rankveil/audit/audit_report.h"

namespace rankveil::cli {

// A share with one digit after the point: "12.5%".
std::string percent_text(double share);

// What was attacked, the verdict, the worst level of each attribute, how sure that is, and the
// shortest transcript. With `all` every finding.
std::string audit_summary(const audit::AuditReport& report, const Terminal& terminal, bool all);

// What the baseline knows, and what the gate objects to; empty: neither.
std::string gate_summary(const audit::AuditReport& report, const Terminal& terminal);

// The steps of a transcript, numbered.
std::string transcript_text(const audit::Transcript& transcript);

}  // namespace rankveil::cli
