#include "rankveil/api/audit_publication.h"

#include <fmt/core.h>

#include "rankveil/api/audit_gate.h"
#include "rankveil/api/check_publication.h"
#include "rankveil/api/report_outputs.h"
#include "rankveil/api/version.h"
#include "rankveil/audit/report_junit.h"
#include "rankveil/audit/report_sarif.h"
#include "rankveil/base/file.h"
#include "rankveil/base/stopwatch.h"

namespace rankveil::api {

namespace {

Status check_files(const PublicationAuditRequest& request) {
  std::vector<std::string> inputs = {request.publication, request.source.path};
  for (const auto& hierarchy : request.hierarchies) inputs.push_back(hierarchy.second);
  if (auto fine = check_report_outputs({request.write_baseline}, inputs); !fine) return fine;
  inputs.insert(inputs.end(), {request.baseline, request.write_baseline});
  const ReportFiles& files = request.files;
  return check_report_outputs({files.output, files.html, files.junit, files.sarif}, inputs);
}

Status check(const PublicationAuditRequest& request) {
  if (!request.publication.ends_with(".json")) {
    return wrong_use(fmt::format(
        "{} does not state its score and its demand; pass the .json of rankveil publish, or use "
        "rankveil check-publication --adversaries",
        request.publication));
  }
  if (auto checked = check_gate(request.fail_on, request.write_baseline); !checked) return checked;
  return check_files(request);
}

Status write_files(const ReportFiles& files, const audit::PublicationReport& report) {
  return write_outputs(
      {{files.output, [&] { return to_json(report).dump() + "\n"; }},
       {files.html, [&] { return to_html(report); }},
       {files.junit, [&] { return audit::to_junit(report.audit); }},
       {files.sarif, [&] { return audit::to_sarif(report.audit).dump() + "\n"; }}});
}

}  // namespace

Result<PublicationAuditResult> audit_publication(const PublicationAuditRequest& request) {
  Stopwatch watch;
  if (auto checked = check(request); !checked) return checked.error();
  auto baseline = read_baseline(request.baseline);
  if (!baseline) return baseline.error();
  CheckRequest reading{
      .publication = request.publication,
      .input = {.source = request.source, .rank_by = {}, .score = {}, .progress = request.progress},
      .hierarchies = request.hierarchies};
  auto read = read_publication(reading);
  if (!read) return read.error();
  auto report = audit::audit_publication(std::move(read->publication), read->truth);
  report.audit.subject.target = request.publication;
  report.audit.subject.table = request.source.name();
  report.audit.settings.version = version().version;
  report.audit.seconds = watch.seconds();
  auto fits = check_baseline(request.baseline, *baseline, report.audit.subject);
  if (!fits) return fits.error();
  auto passed = pass_gate(request.fail_on, *baseline, request.write_baseline, report.audit);
  auto written = both(passed, write_files(request.files, report));
  return PublicationAuditResult{std::move(report), std::move(written)};
}

}  // namespace rankveil::api
