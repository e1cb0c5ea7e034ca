// What a published top gives away to people who know something about somebody in it, and whether a
// gate should fail.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rankveil/audit/gate.h"
#include "rankveil/audit/publication_audit.h"
#include "rankveil/base/progress.h"
#include "rankveil/connect/source.h"

namespace rankveil::api {

// Where an audit's report goes beside the terminal; empty: nowhere.
struct ReportFiles {
  std::string output = {};  // JSON
  std::string html = {};    // one page, for people
  std::string junit = {};   // XML, for CI systems
  std::string sarif = {};   // JSON, for code hosts
};

struct PublicationAuditRequest {
  std::string publication;  // .json as `publish` writes it: it states score, demand and diversity
  connect::Source source;   // the table that was published from
  std::vector<std::pair<std::string, std::string>> hierarchies = {};
  std::vector<audit::Rule> fail_on = {};
  std::string baseline = {};
  std::string write_baseline = {};
  ReportFiles files = {};
  Progress progress = {};
};

// What can be refused is refused before the table is read.
struct PublicationAuditResult {
  audit::PublicationReport report;
  Status written = {};  // which files could not be; the others are
};
Result<PublicationAuditResult> audit_publication(const PublicationAuditRequest& request);

}  // namespace rankveil::api
