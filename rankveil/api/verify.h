// Does a report add up, and is it about this table?
#pragma once

#include <string>

#include "rankveil/api/table_input.h"
#include "rankveil/audit/verify.h"
#include "rankveil/base/json.h"
#include "rankveil/base/result.h"

namespace rankveil::api {

struct VerifyRequest {
  std::string report;  // a file that `audit --json` wrote
  TableInput input;    // the table and its policy; a source without a name: not compared
};

struct VerifyResult {
  std::string report;
  std::string table;  // empty: not compared
  audit::Verification verification;
};

Result<VerifyResult> verify(const VerifyRequest& request);
Json to_json(const VerifyResult& result);

}  // namespace rankveil::api
