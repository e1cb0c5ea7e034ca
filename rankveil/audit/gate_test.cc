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
  for (const char* text : {"broken", "undecidable", "gain>0.4", "certain>0", "rate>0.25",
                           "proven>3", "uncovered>0.2"}) {
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

// However many adversaries say so; and not again of all attributes together.
TEST(Gate, ObjectsOnceToEachAttribute) {
  Finding together = finding("joint", Verdict::Broken, 0.6);
  together.attribute = "all";
  Finding diet = finding("joint", Verdict::Broken, 0.6);
  diet.attribute = "diet";
  AuditReport report = report_with({finding("knowledgeable", Verdict::Undecidable, 0.1),
                                    finding("ignorant", Verdict::Broken, 0.6),
                                    finding("joint", Verdict::Broken, 0.6), diet, together});
  EXPECT_THAT(failures(report, rules({"broken"}), {}),
              ElementsAre(testing::AllOf(HasSubstr("religion, profiles as ignorant: broken"),
                                         HasSubstr("; and 2 more findings about it")),
                          HasSubstr("diet, profiles as joint")));
  EXPECT_THAT(failures(report_with({together}), rules({"broken"}), {}), testing::SizeIs(1));
}

// What attacks were too few for is no objection where the profiles of all rows were read.
TEST(Gate, WhatProfilesDecidedIsDecided) {
  Finding attack = finding("ignorant", Verdict::Undecidable, 0.1);
  attack.method = "q-in";
  AuditReport report = report_with({finding("ignorant", Verdict::Kept, 0.1), attack});
  EXPECT_EQ(report.overall(), Verdict::Kept);
  EXPECT_TRUE(report.is_settled(report.findings[1]));
  EXPECT_THAT(failures(report, rules({"broken"}), {}), IsEmpty());
  report.findings[0].level = "joint";
  EXPECT_EQ(report.overall(), Verdict::Undecidable) << "another level was read";
  EXPECT_THAT(failures(report, rules({"broken"}), {}), testing::SizeIs(1));
  report.findings[0].level = "ignorant";
  report.findings[0].verdict = Verdict::Broken;
  EXPECT_EQ(report.overall(), Verdict::Broken);
}

TEST(Gate, FailsOnFiguresAboveALimitButNotOfBaselines) {
  AuditReport report = report_with({finding("prior-public", Verdict::NotPromised, 0.9),
                                    finding("joint", Verdict::NotPromised, 0.41)});
  EXPECT_THAT(failures(report, rules({"gain>0.4"}), {}),
              ElementsAre("religion, profiles as joint: gain is 0.41 (rule gain>0.4)"));
  EXPECT_THAT(failures(report, rules({"gain>0.41"}), {}), IsEmpty()) << "at the limit is fine";
}

TEST(Gate, FailsOnAPromiseThatCoversFewRows) {
  AuditReport report = report_with({finding("joint", Verdict::Kept, 0.1)});
  report.subject.rows = 101766;
  report.subject.coverage = Coverage{.rows = 101766};
  EXPECT_THAT(failures(report, rules({"broken"}), {}), IsEmpty());
  EXPECT_THAT(failures(report, rules({"uncovered>0.2"}), {}),
              ElementsAre("the promise covers 0 of 101,766 rows: a share of 1 shows something and "
                          "is not covered (rule uncovered>0.2)"));
  report.subject.coverage->covered = 90000;
  EXPECT_THAT(failures(report, rules({"uncovered>0.2"}), {}), IsEmpty());
  report.subject.coverage.reset();  // it does not say
  EXPECT_EQ(failures(report, rules({"uncovered>0.2"}), {}).size(), 1U);
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
  now.known = compare(now, known, rules({"broken"})).known;
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

// Findings that the rules object to and that are worse than `then`.
std::vector<std::string> worse(const Finding& now, const Finding& then,
                               std::initializer_list<const char*> texts) {
  Baseline known;
  known.known = {then};
  return failures(report_with({now}), rules(texts), known);
}

TEST(Gate, AVerdictThatGotWorseFailsAgain) {
  const Finding kept = finding("joint", Verdict::Kept, 0.6);
  const Finding unsure = finding("joint", Verdict::Undecidable, 0.6);
  const Finding broken = finding("joint", Verdict::Broken, 0.6);
  const auto texts = {"broken", "undecidable", "gain>0.5"};
  EXPECT_THAT(worse(broken, kept, texts), ElementsAre(HasSubstr("worse than in the baseline")));
  EXPECT_THAT(worse(broken, unsure, texts), testing::SizeIs(1));
  EXPECT_THAT(worse(unsure, kept, texts), testing::SizeIs(1));
  EXPECT_THAT(worse(kept, broken, texts), IsEmpty()) << "a repair is no reason to fail";
  EXPECT_THAT(worse(unsure, broken, texts), IsEmpty());
}

Finding proven_of(std::uint64_t proven, const char* method) {
  Finding made = finding("joint", Verdict::Broken, 0.6);
  made.method = method;
  made.attempts = 1000;
  made.proven = proven;
  return made;
}

TEST(Gate, MoreProofsFailAgain) {
  const auto texts = {"proven>0"};
  EXPECT_THAT(worse(proven_of(40, "q-in"), proven_of(3, "q-in"), texts), testing::SizeIs(1));
  EXPECT_THAT(worse(proven_of(1, "q-in"), proven_of(0, "q-in"), texts), testing::SizeIs(1));
  EXPECT_THAT(worse(proven_of(3, "q-in"), proven_of(3, "q-in"), texts), IsEmpty());
  EXPECT_THAT(worse(proven_of(4, "q-in"), proven_of(3, "q-in"), texts), IsEmpty())
      << "other victims were drawn";
  EXPECT_THAT(worse(proven_of(4, "publication"), proven_of(3, "publication"), texts),
              testing::SizeIs(1))
      << "nothing is drawn there";
}

Finding recount_of(const std::string& reason, const std::string& problems) {
  Finding made;
  made.attribute = "publication";
  made.method = "recount";
  made.level = "table";
  made.verdict = Verdict::Broken;
  made.reason = reason;
  made.evidence = problems;
  return made;
}

TEST(Gate, AnotherProblemOfAPublicationFails) {
  const auto texts = {"broken"};
  const Finding one = recount_of("a (1 problem in all)", "a");
  const Finding two = recount_of("a (2 problems in all)", "a\nb");
  const Finding other = recount_of("a (2 problems in all)", "a\nc");
  EXPECT_THAT(worse(one, one, texts), IsEmpty());
  EXPECT_THAT(worse(two, one, texts), testing::SizeIs(1));
  EXPECT_THAT(worse(other, two, texts), testing::SizeIs(1)) << "the reasons are alike";
  EXPECT_THAT(worse(one, two, texts), IsEmpty()) << "one was repaired";
  EXPECT_THAT(worse(recount_of("b", ""), recount_of("a", ""), texts), testing::SizeIs(1));
}

TEST(Gate, WhatIsRepairedIsNotKnown) {
  Baseline known = baseline_of(report_with({finding("joint", Verdict::Broken, 0.6),
                                            finding("ignorant", Verdict::Broken, 0.6),
                                            finding("population", Verdict::Broken, 0.6)}),
                               rules({"broken"}));
  Compared compared = compare(report_with({finding("joint", Verdict::Kept, 0.2),
                                           finding("ignorant", Verdict::Broken, 0.6)}),
                              known, rules({"broken"}));
  EXPECT_THAT(compared.repaired, ElementsAre("religion, profiles as joint"));
  EXPECT_THAT(compared.known, ElementsAre("religion, profiles as ignorant"))
      << "population was not looked at";
}

TEST(Gate, LookingLessCloselyRepairsNothing) {
  Baseline known = baseline_of(report_with({finding("joint", Verdict::Broken, 0.6)}),
                               rules({"broken", "gain>0.5"}));
  auto repaired = [&](Verdict verdict, double gain, std::initializer_list<const char*> texts) {
    return compare(report_with({finding("joint", verdict, gain)}), known, rules(texts)).repaired;
  };
  EXPECT_THAT(repaired(Verdict::Undecidable, 0.2, {"broken"}), IsEmpty()) << "too few victims";
  EXPECT_THAT(repaired(Verdict::NotPromised, 0.2, {"broken"}), IsEmpty()) << "the promise is gone";
  EXPECT_THAT(repaired(Verdict::Kept, 0.55, {"broken"}), IsEmpty()) << "a rule of then objects";
  EXPECT_THAT(repaired(Verdict::Kept, 0.3, {"gain>0.2"}), IsEmpty()) << "a rule of now objects";
  EXPECT_THAT(repaired(Verdict::Kept, 0.3, {"broken"}), testing::SizeIs(1));
}

AuditReport report_about(Subject subject) {
  AuditReport report = report_with({finding("joint", Verdict::Broken, 0.6)});
  report.subject = std::move(subject);
  return report;
}

Subject served() {
  return {.target = "build/people.rankveil",
          .target_kind = "index",
          .table = "home/people.csv",
          .policy = "home/people.toml",
          .fingerprint = "1",
          .rows = 100,
          .public_attributes = {"city", "age"},
          .private_attributes = {"religion"},
          .scheme = "pvsv",
          .l = 2};
}

TEST(Gate, ABaselineFitsTheNextBuildOfItsTarget) {
  auto baseline = baseline_from_json(
      *parse_json(to_json(baseline_of(report_about(served()), rules({"broken"}))).dump()));
  ASSERT_TRUE(baseline) << baseline.error().message;
  Subject next = served();
  next.target = "elsewhere/people.rankveil";
  next.rows = 120;
  next.fingerprint = "2";
  next.public_attributes = {"age", "city"};
  EXPECT_TRUE(check_fits(*baseline, next));
  EXPECT_THAT(changed_rows(baseline->written_from, next),
              HasSubstr("had 100 rows then and has 120 now"));
  EXPECT_EQ(changed_rows(baseline->written_from, served()), "");
}

TEST(Gate, ABaselineNamesNoFolders) {
  std::string text = to_json(baseline_of(report_about(served()), rules({"broken"}))).dump();
  EXPECT_THAT(text, HasSubstr("people.rankveil"));
  EXPECT_THAT(text, testing::Not(HasSubstr("build")));
  EXPECT_THAT(text, testing::Not(HasSubstr("home")));
}

TEST(Gate, ABaselineOfAnotherTargetIsRefused) {
  Baseline baseline = baseline_of(report_about(served()), rules({"broken"}));
  auto refused = [&](auto change) {
    Subject subject = served();
    change(subject);
    auto fits = check_fits(baseline, subject);
    return fits ? std::string("it fits") : fits.error().message;
  };
  EXPECT_THAT(refused([](Subject& s) { s.target = "people.csv"; }),
              HasSubstr("the target was people.rankveil and is people.csv; leave --baseline out"));
  EXPECT_THAT(refused([](Subject& s) { s.target_kind = "table"; }),
              HasSubstr("its kind was index and is table"));
  EXPECT_THAT(refused([](Subject& s) { s.scheme = "swap"; }),
              HasSubstr("the scheme was pvsv and is swap"));
  EXPECT_THAT(refused([](Subject& s) { s.l = 3; }), HasSubstr("l was 2 and is 3"));
  EXPECT_THAT(refused([](Subject& s) {
                s.promise = {PromiseKind::GainAtMost, 0.25};
              }),
              HasSubstr("the promise was nothing and is a gain of at most 0.25"));
  EXPECT_THAT(refused([](Subject& s) {
                s.private_attributes = {"diet", "religion"};
              }),
              HasSubstr("newly private: diet"));
  EXPECT_THAT(refused([](Subject& s) { s.public_attributes = {"city"}; }),
              HasSubstr("no longer public: age"));
}

TEST(Gate, RefusesFilesThatAreNoBaseline) {
  EXPECT_FALSE(baseline_from_json(Json(1)));
  EXPECT_FALSE(baseline_from_json(Json().set("format", "rankveil-audit-1")));
  EXPECT_FALSE(baseline_from_json(Json().set("format", "rankveil-baseline-2")));
  auto untied = baseline_from_json(
      Json().set("format", "rankveil-baseline-1").set("known", Json(Json::Array{})));
  ASSERT_FALSE(untied);
  EXPECT_THAT(untied.error().message, HasSubstr("write it again with --write-baseline"));
}

}  // namespace
}  // namespace rankveil::audit
