// The steps of a report's transcript, done again: does the ranking still give the value away?
#pragma once

#include <string>
#include <vector>

#include "rankveil/api/audit_target.h"
#include "rankveil/audit/audit_report.h"
#include "rankveil/audit/transcript.h"
#include "rankveil/base/json.h"

namespace rankveil::api {

struct ReplayRequest {
  std::string report;  // a file that `audit --json` wrote
  TargetInput target;  // its k is taken from the report
};

struct ReplayResult {
  std::string report;
  std::string target;
  audit::Transcript transcript;
  audit::Replayed replayed;
  std::vector<std::string> warnings;
};

// Refuses a report without a transcript.
Result<ReplayResult> replay(const ReplayRequest& request);
Json to_json(const ReplayResult& result);

}  // namespace rankveil::api
