// The gate of an audit as files know it: the baseline there is, and the one to write.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rankveil/audit/gate.h"

namespace rankveil::api {

// An empty path: none. Whether it is one of the target is for check_baseline to say.
Result<std::optional<audit::Baseline>> read_baseline(const std::string& path);

// Refuses the baseline of another target.
Status check_baseline(const std::string& path, const std::optional<audit::Baseline>& baseline,
                      const audit::Subject& subject);

// Fills failures, known and repaired; writes what the rules object to as the next baseline, unless
// the path is empty.
Status pass_gate(const std::vector<audit::Rule>& rules,
                 const std::optional<audit::Baseline>& baseline, const std::string& write_baseline,
                 audit::AuditReport& report);

// A baseline without rules would be empty.
Status check_gate(const std::vector<audit::Rule>& rules, const std::string& write_baseline);

}  // namespace rankveil::api
