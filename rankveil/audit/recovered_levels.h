// What levels above knowledgeable make of the profiles that attacks recovered by asking: for
// targets that cannot be read. Findings carry the method "recovered".
//
// Victims    all of them are attempts. Where nothing was recovered of an attribute, the guess is
//            what the row's public group says; so hidden victims make a rate smaller, never larger.
// Costs      queries and inserts of a victim are those of all attacks together.
// Left out   what cannot be run, with its reason, one sentence each in `notes` (levels.h).
#pragma once

#include <span>
#include <vector>

#include "rankveil/audit/audit.h"
#include "rankveil/audit/campaign.h"

namespace rankveil::audit {

struct RecoveredJudgement {
  std::vector<Finding> findings = {};  // without promises and verdicts that count
  std::vector<std::string> notes = {};
  std::vector<InformedPoint> informed = {};  // empty where the mechanism could not be used
};

// `campaigns`: of all methods, against the victims of the task. `levels`: of level_names(); empty:
// all that can be run. `beliefs`: for the curve of `informed`.
Result<RecoveredJudgement> judge_recovered(const AuditTask& task,
                                           std::span<const Campaign> campaigns,
                                           const std::vector<std::string>& levels,
                                           std::span<const double> beliefs);

}  // namespace rankveil::audit
