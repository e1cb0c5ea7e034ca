#include "rankveil/report/junit.h"

#include <fmt/format.h>

#include <numeric>

#include "rankveil/report/markup.h"

namespace rankveil::reports {
namespace {

using Outcome = TestCase::Outcome;

struct Counts {
  std::size_t tests = 0, failures = 0, skipped = 0;
  double seconds = 0;

  Counts& operator+=(const Counts& other) {
    tests += other.tests;
    failures += other.failures;
    skipped += other.skipped;
    seconds += other.seconds;
    return *this;
  }
};

Counts count(const TestSuite& suite) {
  Counts counts;
  for (const TestCase& test : suite.cases) {
    counts += {1, test.outcome == Outcome::Failed ? 1U : 0U,
               test.outcome == Outcome::Skipped ? 1U : 0U, test.seconds};
  }
  return counts;
}

std::string attributes(const std::string& name, const Counts& counts) {
  return fmt::format(R"(name="{}" tests="{}" failures="{}" errors="0" skipped="{}" time="{:.3f}")",
                     escaped(name), counts.tests, counts.failures, counts.skipped, counts.seconds);
}

std::string outcome(const TestCase& test) {
  if (test.outcome == Outcome::Failed) {
    return fmt::format("      <failure message=\"{}\" type=\"leak\">{}</failure>\n",
                       escaped(test.message), escaped(test.detail));
  }
  if (test.outcome == Outcome::Skipped) {
    return fmt::format("      <skipped message=\"{}\"/>\n", escaped(test.message));
  }
  return "";
}

std::string case_xml(const TestCase& test) {
  std::string inside = outcome(test);
  if (!test.output.empty()) {
    inside += fmt::format("      <system-out>{}</system-out>\n", escaped(test.output));
  }
  const std::string opening =
      fmt::format(R"(    <testcase classname="{}" name="{}" time="{:.3f}")",
                  escaped(test.class_name), escaped(test.name), test.seconds);
  return inside.empty() ? opening + "/>\n" : opening + ">\n" + inside + "    </testcase>\n";
}

std::string properties_xml(const TestSuite& suite) {
  if (suite.properties.empty()) return "";
  std::string out = "    <properties>\n";
  for (const auto& [name, value] : suite.properties) {
    out +=
        fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", escaped(name), escaped(value));
  }
  return out + "    </properties>\n";
}

std::string suite_xml(const TestSuite& suite) {
  std::string out = fmt::format("  <testsuite {}>\n", attributes(suite.name, count(suite)));
  out += properties_xml(suite);
  for (const TestCase& test : suite.cases) out += case_xml(test);
  return out + "  </testsuite>\n";
}

}  // namespace

std::string to_junit(const std::string& name, const std::vector<TestSuite>& suites) {
  Counts all;
  for (const TestSuite& suite : suites) all += count(suite);
  std::string out = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n",
                                attributes(name, all));
  for (const TestSuite& suite : suites) out += suite_xml(suite);
  return out + "</testsuites>\n";
}

}  // namespace rankveil::reports
