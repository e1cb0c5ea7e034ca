#include "rankveil/audit/report_junit.h"

#include <fmt/format.h>

#include <utility>

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

// A leak that is known already stays in sight without failing.
TestCase known_case(TestCase test, const Finding& finding) {
  test.outcome = TestCase::Outcome::Skipped;
  test.message = fmt::format("known: {}, as in the baseline: {}", verdict_phrase(finding.verdict),
                             finding.reason);
  test.output = figures_sentence(finding);
  return test;
}

TestCase case_of(const AuditReport& report, const Finding& finding) {
  TestCase test{.class_name = "rankveil.audit." + finding.attribute,
                .name = finding.method + ", " + finding.level,
                .outcome = outcome(finding.verdict)};
  if (test.outcome == TestCase::Outcome::Failed && report.is_known(finding)) {
    return known_case(std::move(test), finding);
  }
  const std::string figures = figures_sentence(finding);
  if (test.outcome == TestCase::Outcome::Passed) {
    test.output = figures;
    return test;
  }
  test.message = std::string(verdict_phrase(finding.verdict)) + ": " + finding.reason;
  (test.outcome == TestCase::Outcome::Failed ? test.detail : test.output) = figures;
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

// The gate passes as one case, or fails with one for each objection.
TestSuite gate(const AuditReport& report) {
  TestSuite suite{"gate", {}};
  for (const std::string& failure : report.failures) {
    suite.cases.push_back({.class_name = "rankveil.audit.gate",
                           .name = failure,
                           .outcome = TestCase::Outcome::Failed,
                           .message = failure});
  }
  if (suite.cases.empty()) {
    suite.cases.push_back({.class_name = "rankveil.audit.gate", .name = "no objection"});
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
  for (const std::string& attribute : attributes_of(report)) {
    TestSuite suite{attribute, {}, properties(report)};
    for (const Effect& effect : report.effects) {
      bool refused = effect.acts == Acts::Refused && effect.attribute == attribute;
      if (refused) suite.cases.push_back(refused_case(effect));
    }
    for (const Finding& finding : report.findings) {
      if (finding.attribute == attribute) suite.cases.push_back(case_of(report, finding));
    }
    suites.push_back(std::move(suite));
  }
  suites.push_back(gate(report));
  return reports::to_junit("rankveil audit", suites);
}

}  // namespace rankveil::audit
