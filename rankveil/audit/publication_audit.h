// A published top of a ranking under audit: whom adversaries can place in their group, and what
// they then learn. The findings are those of any audit, so that the same gate, baseline and files
// serve.
//
// Levels     quasi, membership, scores: what the adversary knows (publish/reidentify.h).
// Findings   "group": right is who was placed, proven who is also alone with what is known of him.
//            Each sensitive column: right guesses of its values, beside those without the
//            publication. "publication", by a recount: whether it says the truth and keeps its
//            demands; its evidence is all problems, one a line.
// Promise    of a sensitive column that was tested for diversity: no value of a group is surer than
//            the tests allow. Nothing is promised about placing people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/audit/audit_report.h"
#include "rankveil/publish/reidentify.h"

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
PublicationReport audit_publication(publish::Publication publication, const publish::Truth& truth);

// What a tested column promises: no value is guessed right more often. kind None: it was not
// tested, or for closeness of numbers, in a way that bounds no guess.
Promise diversity_promise(const publish::Publication& publication, const std::string& column);

Json to_json(const PublicationReport& report);
std::string to_html(const PublicationReport& report);

}  // namespace rankveil::audit
