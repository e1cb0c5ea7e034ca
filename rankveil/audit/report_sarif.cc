#include "rankveil/audit/report_sarif.h"

#include <fmt/format.h>

#include <algorithm>

#include "rankveil/audit/check.h"
#include "rankveil/audit/report_alerts.h"
#include "rankveil/audit/report_words.h"
#include "rankveil/report/sarif.h"

namespace rankveil::audit {
namespace {

// "bayesian-joint" is called BayesianJoint, as SARIF likes it.
std::string pascal(std::string_view name) {
  std::string out;
  bool starts = true;
  for (char c : name) {
    const bool is_letter = c >= 'a' && c <= 'z';
    if (c != '-') out += static_cast<char>(starts && is_letter ? c - 'a' + 'A' : c);
    starts = c == '-';
  }
  return out;
}

reports::SarifRule rule_of(const std::string& level) {
  const std::string phrase = level_phrase(level);
  return {.id = level,
          .name = pascal(level),
          .summary = fmt::format("The promise breaks against somebody who {}.",
                                 phrase.empty() ? "guesses as " + level : phrase),
          .help =
              "Choose a scheme that holds against this adversary (rankveil compare), or a larger "
              "l, and audit again.",
          .help_uri = "urn:rankveil:docs/concepts/adversaries.md#" + level};
}

// Every level there is, and those of findings that are none of ours.
std::vector<reports::SarifRule> rules(const AuditReport& report) {
  std::vector<reports::SarifRule> all;
  for (std::string_view level : level_names()) {
    if (!level.starts_with("prior")) all.push_back(rule_of(std::string(level)));
  }
  for (std::string_view check : check_names()) all.push_back(rule_of(std::string(check)));
  for (const Finding& finding : report.findings) {
    const bool known = std::ranges::any_of(
        all, [&](const reports::SarifRule& rule) { return rule.id == finding.level; });
    if (!known && finding.verdict == Verdict::Broken) all.push_back(rule_of(finding.level));
  }
  return all;
}

std::string pinned_to(const Subject& subject) {
  if (!subject.policy.empty()) return subject.policy;
  return subject.table.empty() ? subject.target : subject.table;
}

// One for each attribute, at the line of the policy that says what it is.
reports::SarifResult result_of(const AuditReport& report, const Alert& alert) {
  const Finding& finding = *alert.first;
  return {.rule = finding.level,
          .message = fmt::format("{} ({}) breaks the promise: {}{}. {} {}", finding_title(finding),
                                 report.subject.target, finding.reason, others_text(alert),
                                 figures_sentence(finding), plain_words(report, alert.attribute)),
          .file = pinned_to(report.subject),
          .line = report.subject.line_of(alert.attribute),
          .part = alert.attribute,
          .identity = alert.attribute,
          .accepted = alert.is_known ? "It is in the baseline, and did not get worse." : "",
          .properties = {{"method", finding.method},
                         {"attempts", finding.attempts},
                         {"rate", finding.rate},
                         {"low", finding.low},
                         {"high", finding.high},
                         {"prior", finding.prior},
                         {"gain", finding.gain},
                         {"certain", finding.certain},
                         {"findings", std::uint64_t{alert.others.size() + 1}}}};
}

}  // namespace

Json to_sarif(const AuditReport& report) {
  reports::SarifRun run{.tool = "rankveil",
                        .version = report.settings.version,
                        .rules = rules(report),
                        .properties = {{"target", report.subject.target},
                                       {"fingerprint", report.subject.fingerprint},
                                       {"seed", report.settings.seed},
                                       {"verdict", verdict_name(report.overall())}}};
  for (const Alert& alert : alerts_of(report)) run.results.push_back(result_of(report, alert));
  return reports::to_sarif(run);
}

}  // namespace rankveil::audit
