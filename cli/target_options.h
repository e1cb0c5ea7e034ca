// The options of every command that is pointed at a ranking: audit and replay.
#pragma once

#include "cli/options.h"
#include "rankveil/api/audit_target.h"

namespace rankveil::cli {

// --table and --policy with all that goes with them, and what is to be known about the ranking.
void add_target_options(Options& options, api::TargetInput& input);

}  // namespace rankveil::cli
