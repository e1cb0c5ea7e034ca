// All checks of one audit (check.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rankveil/audit/audit.h"

namespace rankveil::audit {

struct Checked {
  std::vector<Finding> findings = {};   // without promises and verdicts
  std::vector<std::string> notes = {};  // which checks were left out and why
};

// Those that the task asks for in `levels` (empty: all) and that can be run. `insider`: what levels
// by profiles found for him (Judgement::insider).
Result<Checked> run_checks(const AuditTask& task,
                           const std::optional<Finding>& insider = std::nullopt);

}  // namespace rankveil::audit
