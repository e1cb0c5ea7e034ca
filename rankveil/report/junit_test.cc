#include "rankveil/report/junit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/report/testing/well_formed.h"

namespace rankveil::reports {
namespace {

using testing::HasSubstr;
using Outcome = TestCase::Outcome;

std::vector<TestSuite> suites() {
  return {{"income",
           {{"income", "q-point / ignorant", Outcome::Passed, {}, {}, "rate 20%", 0.5},
            {"income", "profiles / joint", Outcome::Failed, "71% guessed", "1/l is 50%", {}, 1}},
           {{"seed", "1"}}},
          {"smokes", {{"smokes", "profiles / joint", Outcome::Skipped, "too few victims"}}}};
}

TEST(JUnit, CountsTestsFailuresAndSkips) {
  const std::string xml = to_junit("rankveil audit", suites());
  EXPECT_TRUE(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"));
  EXPECT_THAT(
      xml,
      HasSubstr(
          R"(<testsuites name="rankveil audit" tests="3" failures="1" errors="0" skipped="1" time="1.500">)"));
  EXPECT_THAT(
      xml,
      HasSubstr(
          R"(<testsuite name="income" tests="2" failures="1" errors="0" skipped="0" time="1.500">)"));
  EXPECT_THAT(
      xml,
      HasSubstr(
          R"(<testsuite name="smokes" tests="1" failures="0" errors="0" skipped="1" time="0.000">)"));
}

TEST(JUnit, SaysWhatFailedAndWhy) {
  const std::string xml = to_junit("a", suites());
  EXPECT_EQ(WellFormed()(xml), "");
  EXPECT_THAT(xml, HasSubstr(R"(<failure message="71% guessed" type="leak">1/l is 50%</failure>)"));
  EXPECT_THAT(xml, HasSubstr(R"(<skipped message="too few victims"/>)"));
  EXPECT_THAT(xml, HasSubstr("<system-out>rate 20%</system-out>"));
  EXPECT_THAT(xml, HasSubstr(R"(<property name="seed" value="1"/>)"));
}

TEST(JUnit, TakesHostileTextForText) {
  const std::string bad = "]]></failure>\"<x a='\n&\x01\xFF";
  const std::string xml =
      to_junit(bad, {{bad, {{bad, bad, Outcome::Failed, bad, bad, bad}}, {{bad, bad}}}});
  EXPECT_EQ(WellFormed()(xml), "");
  EXPECT_THAT(xml, Not(HasSubstr("<x")));
}

TEST(JUnit, OfNothingIsADocument) {
  EXPECT_EQ(WellFormed()(to_junit("a", {})), "");
  EXPECT_THAT(to_junit("a", {}), HasSubstr("tests=\"0\""));
}

}  // namespace
}  // namespace rankveil::reports
