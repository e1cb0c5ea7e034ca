#include "rankveil/audit/report_sarif.h"

#include <fmt/format.h>

#include <algorithm>

#include "rankveil/audit/check.h"
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
              "l, and audit again."};
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

reports::SarifResult result_of(const AuditReport& report, const Finding& finding) {
  return {
      .rule = finding.level,
      .message = fmt::format("{} ({}) breaks the promise: {}. {}", finding_title(finding),
                             report.subject.target, finding.reason, figures_sentence(finding)),
      .file = pinned_to(report.subject),
      .part = finding.attribute,
      .identity = fmt::format("{}|{}|{}", finding.attribute, finding.method, finding.level),
      .accepted = report.is_known(finding) ? "It is in the baseline, and did not get worse." : "",
      .properties = {{"method", finding.method},
                     {"attempts", finding.attempts},
                     {"rate", finding.rate},
                     {"low", finding.low},
                     {"high", finding.high},
                     {"prior", finding.prior},
                     {"gain", finding.gain},
                     {"certain", finding.certain}}};
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
  for (const Finding& finding : report.findings) {
    if (finding.verdict == Verdict::Broken) run.results.push_back(result_of(report, finding));
  }
  return reports::to_sarif(run);
}

}  // namespace rankveil::audit
