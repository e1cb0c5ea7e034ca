// Does a report add up? Every number that follows from others is computed again.
#pragma once

#include <string>
#include <vector>

#include "rankveil/audit/audit_report.h"
#include "rankveil/base/json.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

struct Verification {
  std::uint64_t checks = 0;               // numbers and words that were computed again
  std::vector<std::string> misfits = {};  // a sentence for each that does not fit
};

// `json`: the report as it was read, for what the struct does not hold. With a table also rows,
// attributes and fingerprint.
Verification verify(const AuditReport& report, const Json& json, const Table* table);

}  // namespace rankveil::audit
