#include "rankveil/audit/audit_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil::audit {
namespace {

Finding finding(const std::string& attribute, const std::string& level, Verdict verdict) {
  Finding made;
  made.attribute = attribute;
  made.method = "profiles";
  made.level = level;
  made.verdict = verdict;
  return made;
}

AuditReport sample() {
  AuditReport report;
  report.subject.target = "people.rankveil";
  report.subject.target_kind = "index";
  report.subject.private_attributes = {"religion"};
  report.subject.promise = {PromiseKind::GainAtMost, 1.0 / 3};
  report.subject.against = {AdversaryLevel::Ignorant, AdversaryLevel::BayesianJoint};
  report.settings.methods = {"q-in"};
  report.settings.k = 100;
  report.findings = {finding("religion", "bayesian-joint", Verdict::Broken),
                     finding("religion", "knowledgeable", Verdict::Broken),
                     finding("diet", "joint", Verdict::Broken),
                     finding("religion", "ignorant", Verdict::Kept)};
  report.power = {{"religion", "q-in", "ignorant", 1000, 0.6, 640, 0.1, 0.003},
                  {"diet", "q-in", "ignorant", 2, 0.6, 3, {}, {}}};
  Transcript transcript{.victim = "7", .attribute = "religion", .value = "none", .method = "q-in"};
  transcript.steps.push_back({.query = Json().set("city", "Paris"), .answer = {"7", "+1"}});
  transcript.steps.push_back({.is_insert = true, .row = {"Paris", std::nullopt}});
  report.transcript = transcript;
  report.curves = {{"after", "q-in", 10, {{1, 0.25}, {2, 0.5}}}};
  report.informed = {{0.5, 0.9, 0.7}};
  report.notes = {"A note."};
  report.seconds = 1.5;
  return report;
}

TEST(AuditReport, ReadsBackFromItsJson) {
  std::string text = to_json(sample()).dump();
  auto back = audit_report_from_json(*parse_json(text));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back).dump(), text);
}

TEST(AuditReport, NamesWhatDoesNotFit) {
  auto of = [](const Json& json) { return audit_report_from_json(json).error().message; };
  EXPECT_EQ(of(Json(1)), "the report: is no object");
  EXPECT_EQ(of(Json().set("format", "other")),
            "the report: it is of format \"other\"; this program reads \"rankveil-audit-1\"");
  EXPECT_THAT(of(Json().set("format", "rankveil-publication-audit-1")),
              testing::HasSubstr("rankveil check-publication"));
}

TEST(AuditReport, CallsTheWeakestLevelThatBreaksThePromise) {
  AuditReport report = sample();
  EXPECT_EQ(report.overall(), Verdict::Broken);
  EXPECT_EQ(report.first_broken()->level, "knowledgeable");
  EXPECT_EQ(report.first_broken("diet")->level, "joint");
  EXPECT_EQ(report.first_broken("age"), nullptr);
}

TEST(AuditReport, IsUndecidedRatherThanKept) {
  AuditReport report;
  EXPECT_EQ(report.overall(), Verdict::NotPromised);
  report.findings = {finding("a", "joint", Verdict::Kept),
                     finding("a", "ignorant", Verdict::Undecidable)};
  EXPECT_EQ(report.overall(), Verdict::Undecidable);
  EXPECT_EQ(report.first_broken(), nullptr);
}

TEST(AuditReport, JudgesAnAttributeByItsOwnFindings) {
  AuditReport report;
  report.findings = {finding("a", "joint", Verdict::Kept), finding("b", "joint", Verdict::Kept),
                     finding("b", "ignorant", Verdict::Undecidable),
                     finding("c", "joint", Verdict::Broken)};
  EXPECT_EQ(report.overall("a"), Verdict::Kept);
  EXPECT_EQ(report.overall("b"), Verdict::Undecidable);
  EXPECT_EQ(report.overall("c"), Verdict::Broken);
  EXPECT_EQ(report.overall("d"), Verdict::NotPromised);
}

}  // namespace
}  // namespace rankveil::audit
