// A published top of a ranking under audit: whom adversaries can place in their group, and what
// they then learn. The findings are those of any audit, so that the same gate, baseline and files
// serve.
//
// Levels     quasi, membership, scores: what the adversary knows (publish/reidentify.h).
// Findings   "group": right is who was placed, proven who is also alone with what is known of him.
//            Each sensitive column: right guesses of its values, beside those without the
//            publication. "publication", by a recount: whether it says the truth and keeps its
//            demands; its evidence is all problems, one a line.
//            "certain" are values of which the group leaves one only.
// Promise    of a sensitive column: no value of a group is surer than the tests of diversity allow
//            (diversity_promise.h). Nothing is promised about placing people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/audit/audit_report.h"
#include "rankveil/publish/check/reidentify.h"

namespace rankveil::audit {

inline constexpr const char* publication_method = "publication";
inline constexpr const char* recount_method = "recount";
inline constexpr const char* publication_report_format = "rankveil-publication-audit-1";

struct PublicationReport {
  // Subject, settings, findings, notes, failures, known and seconds; the rest stays empty.
  AuditReport audit = {};
  publish::Publication publication = {};
  publish::Verification verification = {};
  std::vector<publish::Reidentification> adversaries = {};
};

// Fills findings with their verdicts, and notes. `truth` is the table that was published from.
// Without adversaries there is one finding: the recount.
PublicationReport audit_publication(publish::Publication publication, const publish::Truth& truth,
                                    bool with_adversaries = true);

// Sensitive values that the strongest adversary is certain of.
std::uint64_t certain_values(const PublicationReport& report);
// Of a report that nothing is broken in: what was promised, and kept. Begins small, ends without a
// full stop.
std::string kept_sentence(const PublicationReport& report);

Json to_json(const PublicationReport& report);
std::string to_html(const PublicationReport& report);

}  // namespace rankveil::audit
