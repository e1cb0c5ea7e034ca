// What a probe found, for somebody at a terminal.
#pragma once

#include <string>

#include "cli/terminal.h"
#include "rankveil/probe/evidence/probe_result.h"

namespace rankveil::cli {

// The verdict, a line for each field, and the two requests of the plainest leak. With `all` every
// way of asking.
std::string probe_summary(const probe::ProbeResult& result, const Terminal& terminal, bool all);

}  // namespace rankveil::cli
