#include "rankveil/audit/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Finding finding(const std::string& level, Verdict verdict, double gain) {
  Finding made;
  made.attribute = "religion";
  made.method = "profiles";
  made.level = level;
  made.verdict = verdict;
  made.gain = gain;
  made.rate = 0.5;
  made.low = 0.4;
  made.high = 0.6;
  return made;
}

AuditReport report_with(std::vector<Finding> findings) {
  AuditReport report;
  report.findings = std::move(findings);
  return report;
}

std::vector<Rule> rules(std::initializer_list<const char*> texts) {
  std::vector<Rule> made;
  for (const char* text : texts) made.push_back(*rule_from_text(text));
  return made;
}

TEST(Rule, ReadsBackFromItsText) {
  for (const char* text :
       {"broken", "undecidable", "gain>0.4", "certain>0", "rate>0.25", "proven>3"}) {
    auto rule = rule_from_text(text);
    ASSERT_TRUE(rule) << text;
    EXPECT_EQ(rule->text(), text);
  }
}

TEST(Rule, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"", "leak", "gain", "gain>", "gain>x", "gain>-1", "gain<0.4", "age>1"}) {
    EXPECT_FALSE(rule_from_text(text)) << text;
  }
}

TEST(Gate, FailsOnBrokenPromises) {
  AuditReport report = report_with(
      {finding("ignorant", Verdict::Kept, 0.1), finding("joint", Verdict::Broken, 0.6)});
  EXPECT_THAT(failures(report, rules({"broken"}), {}),
              ElementsAre(HasSubstr("religion, profiles as joint: broken")));
  EXPECT_THAT(failures(report, {}, {}), IsEmpty());
}

TEST(Gate, FailsOnFiguresAboveALimitButNotOfBaselines) {
  AuditReport report = report_with({finding("prior-public", Verdict::NotPromised, 0.9),
                                    finding("joint", Verdict::NotPromised, 0.41)});
  EXPECT_THAT(failures(report, rules({"gain>0.4"}), {}),
              ElementsAre("religion, profiles as joint: gain is 0.41 (rule gain>0.4)"));
  EXPECT_THAT(failures(report, rules({"gain>0.41"}), {}), IsEmpty()) << "at the limit is fine";
}

TEST(Gate, KnowsWhatTheBaselineKnows) {
  AuditReport old = report_with({finding("joint", Verdict::Broken, 0.6)});
  auto known = baseline_from_json(*parse_json(to_json(baseline_of(old, rules({"broken"}))).dump()));
  ASSERT_TRUE(known) << known.error().message;
  EXPECT_THAT(failures(old, rules({"broken"}), *known), IsEmpty());

  AuditReport more = report_with(
      {finding("joint", Verdict::Broken, 0.62), finding("ignorant", Verdict::Broken, 0.6)});
  EXPECT_THAT(failures(more, rules({"broken"}), *known), ElementsAre(HasSubstr("as ignorant")));
}

TEST(Gate, NamesWhatIsKnownUnlessItGotWorse) {
  Baseline known = baseline_of(report_with({finding("joint", Verdict::Broken, 0.6),
                                            finding("ignorant", Verdict::Broken, 0.6)}),
                               rules({"broken"}));
  AuditReport now = report_with({finding("joint", Verdict::Broken, 0.6),
                                 finding("ignorant", Verdict::Broken, 0.7),
                                 finding("population", Verdict::Broken, 0.6)});
  now.known = known_findings(now, known);
  EXPECT_THAT(now.known, ElementsAre("religion, profiles as joint"));
  EXPECT_TRUE(now.is_known(now.findings[0]));
  EXPECT_FALSE(now.is_known(now.findings[1]));
}

TEST(Gate, FailsAgainOnWhatGotWorse) {
  AuditReport old = report_with({finding("joint", Verdict::Broken, 0.6)});
  Baseline known = baseline_of(old, rules({"broken"}));
  AuditReport worse = report_with({finding("joint", Verdict::Broken, 0.7)});
  EXPECT_THAT(failures(worse, rules({"broken"}), known),
              ElementsAre(HasSubstr("worse than in the baseline")));
  worse = report_with({finding("joint", Verdict::Broken, 0.6)});
  worse.findings[0].low = 0.61;
  EXPECT_THAT(failures(worse, rules({"broken"}), known), testing::SizeIs(1));
}

TEST(Gate, RefusesFilesThatAreNoBaseline) {
  EXPECT_FALSE(baseline_from_json(Json(1)));
  EXPECT_FALSE(baseline_from_json(Json().set("format", "rankveil-audit-1")));
  EXPECT_FALSE(baseline_from_json(Json().set("format", "rankveil-baseline-1")));
}

}  // namespace
}  // namespace rankveil::audit
