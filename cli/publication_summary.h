// The audit of a publication for somebody at a terminal.
#pragma once

#include <string>

#include "cli/terminal.h"
#include "rankveil/audit/publication_audit.h"

namespace rankveil::cli {

// What was audited, the verdict, whom adversaries place, what they then guess, and the gate.
std::string publication_summary(const audit::PublicationReport& report, const Terminal& terminal);

}  // namespace rankveil::cli
