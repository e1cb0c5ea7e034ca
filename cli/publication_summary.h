// The check of a publication for somebody at a terminal.
#pragma once

#include <string>

#include "cli/terminal.h"
#include "rankveil/audit/publication_audit.h"

namespace rankveil::cli {

// The groups as they were recounted, and what is wrong with them.
std::string recount_summary(const audit::PublicationReport& report, const Terminal& terminal);
// The verdict, whom adversaries place, what they then guess, and the gate.
std::string adversaries_summary(const audit::PublicationReport& report, const Terminal& terminal);

}  // namespace rankveil::cli
