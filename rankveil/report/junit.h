// JUnit XML, which CI systems show as test results.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace rankveil::reports {

struct TestCase {
  enum class Outcome { Passed, Failed, Skipped };
  std::string class_name;  // groups cases: "rankveil.audit.income"
  std::string name;
  Outcome outcome = Outcome::Passed;
  std::string message = {};  // of a failure or a skip: one sentence
  std::string detail = {};   // of a failure: more lines
  std::string output = {};   // figures worth keeping beside a case that passed
  double seconds = 0;
};

struct TestSuite {
  std::string name;
  std::vector<TestCase> cases;
  std::vector<std::pair<std::string, std::string>> properties = {};
};

// The document; counts are worked out from the cases.
std::string to_junit(const std::string& name, const std::vector<TestSuite>& suites);

}  // namespace rankveil::reports
