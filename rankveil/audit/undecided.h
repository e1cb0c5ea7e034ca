// Why an audit found nothing and yet is not sure, and what would make it so.
//
//   if (report.overall() == Verdict::Undecidable) {
//     for (const std::string& line : undecided_words(report).details) show(line);
//   }
//
// Advice is what can help here: more victims where the table has them and the attempts would do,
// fewer tests at once where that is enough, the index itself where it was not read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/audit/audit_report.h"

namespace rankveil::audit {

struct UndecidedWords {
  std::string summary;               // "nothing was found, and 3 of 40 tests have ..."
  std::vector<std::string> details;  // sentences: the worst of them in numbers, then advice
};
// REQUIRES: report.overall() is Undecidable.
UndecidedWords undecided_words(const AuditReport& report);

// Victims with which this finding would be decided, all else as it is; may be more than there are
// rows. Nothing: no number of victims does.
std::optional<std::uint64_t> victims_needed(const Finding& finding, const Settings& settings,
                                            std::uint64_t comparisons);

// Of attacks that left something undecided which reading profiles settled: a sentence, or nothing.
std::string settled_words(const AuditReport& report);

}  // namespace rankveil::audit
