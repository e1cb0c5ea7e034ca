#include "rankveil/api/audit_gate.h"

#include <fmt/core.h>

#include "rankveil/base/file.h"

namespace rankveil::api {

namespace {

void hold_against(const audit::Baseline& baseline, const std::vector<audit::Rule>& rules,
                  audit::AuditReport& report) {
  audit::Compared compared = audit::compare(report, baseline, rules);
  report.known = std::move(compared.known);
  report.repaired = std::move(compared.repaired);
  std::string note = audit::changed_rows(baseline.written_from, report.subject);
  if (!note.empty()) report.notes.push_back(std::move(note));
}

}  // namespace

Result<std::optional<audit::Baseline>> read_baseline(const std::string& path) {
  if (path.empty()) return std::optional<audit::Baseline>();
  auto text = read_text(path);
  if (!text) return text.error();
  auto json = parse_json(*text);
  if (!json) return bad_input(fmt::format("{}: {}", path, json.error().message));
  auto baseline = audit::baseline_from_json(*json);
  if (!baseline) return bad_input(fmt::format("{}: {}", path, baseline.error().message));
  return std::optional(*std::move(baseline));
}

Status check_baseline(const std::string& path, const std::optional<audit::Baseline>& baseline,
                      const audit::Subject& subject) {
  if (!baseline) return {};
  auto fits = audit::check_fits(*baseline, subject);
  if (!fits) return bad_input(fmt::format("{}: {}", path, fits.error().message));
  return {};
}

Status pass_gate(const std::vector<audit::Rule>& rules,
                 const std::optional<audit::Baseline>& baseline, const std::string& write_baseline,
                 audit::AuditReport& report) {
  report.failures = audit::failures(report, rules, baseline);
  if (baseline) hold_against(*baseline, rules, report);
  if (write_baseline.empty()) return {};
  return write_text(write_baseline, to_json(audit::baseline_of(report, rules)).dump() + "\n");
}

Status check_gate(const std::vector<audit::Rule>& rules, const std::string& write_baseline) {
  if (write_baseline.empty() || !rules.empty()) return {};
  return wrong_use("a baseline holds what --fail-on objects to; pass --fail-on as well");
}

}  // namespace rankveil::api
