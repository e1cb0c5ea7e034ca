// Options that say which service a probe is of, and as whom.
#pragma once

#include "cli/options.h"
#include "rankveil/api/probe.h"

namespace rankveil::cli {

void add_probe_target_options(Options& options, api::ProbeRequest& request);

}  // namespace rankveil::cli
