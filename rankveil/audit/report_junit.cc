#include "rankveil/audit/report_junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rankveil/audit/report_alerts.h"
#include "rankveil/audit/report_words.h"
#include "rankveil/report/junit.h"

namespace rankveil::audit {
namespace {

using reports::TestCase;
using reports::TestSuite;

TestCase::Outcome outcome(Verdict verdict) {
  switch (verdict) {
    case Verdict::Kept:
      return TestCase::Outcome::Passed;
    case Verdict::Broken:
    case Verdict::NotTested:  // skipped cases are overlooked
      return TestCase::Outcome::Failed;
    case Verdict::Undecidable:
    case Verdict::NotPromised:
      break;
  }
  return TestCase::Outcome::Skipped;
}

// Every finding about the attribute, a line each.
std::string all_lines(const AuditReport& report, const std::string& attribute) {
  std::string text;
  for (const Finding& finding : report.findings) {
    if (finding.attribute != attribute) continue;
    text += fmt::format("{}, {}: {}: {}\n", finding.method, finding.level,
                        verdict_phrase(finding.verdict), finding.reason);
  }
  return text;
}

const std::string* objection_to(const AuditReport& report, const std::string& attribute) {
  auto found = std::ranges::find_if(
      report.failures, [&](const std::string& failure) { return is_about(failure, attribute); });
  return found == report.failures.end() ? nullptr : &*found;
}

void say_broken(const Alert& alert, TestCase& test) {
  const Finding& finding = *alert.first;
  std::string what = fmt::format("{}, {}: {}{}", finding.method, finding.level, finding.reason,
                                 others_text(alert));
  // A leak that is known already stays in sight without failing.
  test.outcome = alert.is_known ? TestCase::Outcome::Skipped : TestCase::Outcome::Failed;
  test.message = (alert.is_known ? "known, as in the baseline: " : "broken: ") + what;
}

// Fails once, whatever it fails for.
TestCase case_of(const AuditReport& report, const std::string& attribute,
                 const std::vector<Alert>& alerts) {
  const Verdict verdict = report.overall(attribute);
  TestCase test{.class_name = "rankveil.audit." + attribute,
                .name = "the promise about " + attribute,
                .outcome = outcome(verdict)};
  auto alert = std::ranges::find(alerts, attribute, &Alert::attribute);
  const std::string* objection = objection_to(report, attribute);
  if (alert != alerts.end()) {
    say_broken(*alert, test);
  } else if (verdict == Verdict::Broken) {
    test.outcome = TestCase::Outcome::Skipped;
    test.message = "broken, and told attribute by attribute";
  } else if (objection != nullptr) {
    test.outcome = TestCase::Outcome::Failed;
    test.message = *objection;
  } else if (test.outcome != TestCase::Outcome::Passed) {
    test.message = verdict_phrase(verdict);
  }
  std::string& text = test.outcome == TestCase::Outcome::Failed ? test.detail : test.output;
  text = plain_words(report, attribute) + "\n" + all_lines(report, attribute);
  return test;
}

TestCase refused_case(const Effect& effect) {
  return {.class_name = "rankveil.audit." + effect.attribute,
          .name = "asking, refused",
          .outcome = TestCase::Outcome::Passed,
          .output = effect.note};
}

std::vector<std::pair<std::string, std::string>> properties(const AuditReport& report) {
  return {{"target", report.subject.target},
          {"fingerprint", report.subject.fingerprint},
          {"scheme", report.subject.scheme},
          {"seed", std::to_string(report.settings.seed)},
          {"version", report.settings.version}};
}

bool is_told_with_its_attribute(const AuditReport& report, const std::string& failure) {
  return std::ranges::any_of(attributes_of(report), [&](const std::string& attribute) {
    return is_about(failure, attribute);
  });
}

// The gate fails with one case for each objection that is about no attribute.
TestSuite gate(const AuditReport& report) {
  TestSuite suite{"gate", {}};
  for (const std::string& failure : report.failures) {
    if (is_told_with_its_attribute(report, failure)) continue;
    suite.cases.push_back({.class_name = "rankveil.audit.gate",
                           .name = failure,
                           .outcome = TestCase::Outcome::Failed,
                           .message = failure});
  }
  if (suite.cases.empty()) {
    suite.cases.push_back({.class_name = "rankveil.audit.gate",
                           .name = report.failures.empty()
                                       ? "no objection"
                                       : "objections are with their attributes"});
  }
  if (!report.known.empty()) {
    suite.properties.emplace_back("known from the baseline", std::to_string(report.known.size()));
  }
  if (!report.repaired.empty()) {
    suite.properties.emplace_back("repaired since the baseline",
                                  std::to_string(report.repaired.size()));
  }
  return suite;
}

}  // namespace

std::string to_junit(const AuditReport& report) {
  std::vector<TestSuite> suites;
  const std::vector<Alert> alerts = alerts_of(report);
  for (const std::string& attribute : attributes_of(report)) {
    TestSuite suite{attribute, {}, properties(report)};
    for (const Effect& effect : report.effects) {
      bool refused = effect.acts == Acts::Refused && effect.attribute == attribute;
      if (refused) suite.cases.push_back(refused_case(effect));
    }
    suite.cases.push_back(case_of(report, attribute, alerts));
    suites.push_back(std::move(suite));
  }
  suites.push_back(gate(report));
  return reports::to_junit("rankveil audit", suites);
}

}  // namespace rankveil::audit
