#include "rankveil/audit/undecided.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/audit/report_html.h"
#include "rankveil/audit/verdict.h"

namespace rankveil::audit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

Finding finding(const char* method, std::uint64_t attempts, double prior) {
  Finding made{.attribute = "income", .method = method, .level = "ignorant"};
  made.attempts = attempts;
  made.right = prior * static_cast<double>(attempts);
  made.prior = prior;
  made.promise = {PromiseKind::GainAtMost, 1.0 / 3};
  fill_rate(made);
  return made;
}

// Judged as one of 200 tests.
AuditReport report_of(std::vector<Finding> findings, std::uint64_t victims, std::uint64_t rows) {
  AuditReport report;
  report.subject.private_attributes = {"income"};
  report.subject.rows = rows;
  report.settings.victims = victims;
  report.comparisons = 200;
  for (Finding& one : findings) judge(one, {.comparisons = report.comparisons});
  report.findings = std::move(findings);
  return report;
}

std::vector<std::string> details(const AuditReport& report) {
  return undecided_words(report).details;
}

TEST(Undecided, SaysWhyInNumbers) {
  AuditReport report = report_of({finding("q-in", 200, 0.9)}, 200, 50000);
  EXPECT_THAT(undecided_words(report).summary, HasSubstr("1 of 200 tests has too few attempts"));
  EXPECT_EQ(details(report)[0],
            "Furthest from it is income, q-in as ignorant: public values alone are right for "
            "90.0%, it is right for 90.0% (85.1% to 93.4%) of 200 attempts, and 93.3% are allowed; "
            "to see even a leak of 25% takes 5,400 attempts.");
}

TEST(Undecided, TheNumberOfVictimsItAdvisesDecides) {
  AuditReport report = report_of({finding("q-in", 200, 0.9)}, 200, 50000);
  EXPECT_THAT(details(report), Contains("--victims 5400 decides it."));
  Finding again = finding("q-in", 5400, 0.9);
  judge(again, {.comparisons = report.comparisons});
  EXPECT_EQ(again.verdict, Verdict::Kept);
}

TEST(Undecided, AttemptsAtAllAttributesAreSharedByVictims) {
  Finding all = finding("q-in", 400, 0.9);
  all.attribute = "all";
  EXPECT_EQ(victims_needed(all, {.victims = 200}, 200), 2700U);
}

TEST(Undecided, NobodyIsToldToAttackMoreThanThereAre) {
  AuditReport report = report_of({finding("q-in", 1500, 0.95)}, 1500, 1500);
  EXPECT_THAT(details(report), Contains("Every row was attacked, so more victims cannot help."));
  EXPECT_THAT(details(report), Each(Not(HasSubstr("--victims"))));
  report = report_of({finding("q-in", 200, 0.95)}, 200, 1500);
  EXPECT_THAT(details(report), Contains("More victims do not help: 1,500 rows are not enough."));
  report = report_of({finding("q-in", 200, 0.3), finding("qi-in", 200, 0.95)}, 200, 1500);
  EXPECT_THAT(details(report), Contains("--victims all decides 1 of them; for the others 1,500 "
                                        "rows are not enough."));
}

TEST(Undecided, InsidersDoNotGainByVictims) {
  AuditReport report = report_of({finding("insider", 200, 0.9)}, 200, 50000);
  EXPECT_THAT(details(report), Each(Not(HasSubstr("--victims"))));
}

TEST(Undecided, FewerTestsAreAdvisedOnlyWhereTheyAreEnough) {
  // 5,400 as one of 200 tests, 3,400 as one of six.
  AuditReport report = report_of({finding("q-in", 200, 0.9)}, 200, 5000);
  EXPECT_THAT(details(report), Contains(AllOf(HasSubstr("--methods q-in --levels ignorant"),
                                              HasSubstr("--victims 3400"))));
  report = report_of({finding("q-in", 200, 0.95)}, 200, 5000);
  EXPECT_THAT(details(report), Each(Not(HasSubstr("--methods"))));
}

TEST(Undecided, WhatNothingCanLeakFromIsSaidToBeSo) {
  AuditReport report = report_of({finding("q-in", 200, 1)}, 200, 50000);
  EXPECT_THAT(details(report)[0], HasSubstr("nothing is left that a leak could show in"));
  EXPECT_THAT(details(report), Each(Not(HasSubstr("--victims"))));
}

TEST(Undecided, ABlindAuditNeedsNoMoreVictims) {
  AuditReport report = report_of({finding("q-in", 200, 0.9)}, 200, 50000);
  report.control = {.planted = 20, .attempts = 20, .blind = true};
  EXPECT_THAT(details(report), Each(HasSubstr("Not one of 20 values")));
}

TEST(Undecided, ProfilesThatWereReadDecideAndAttacksAreASecondLine) {
  AuditReport report =
      report_of({finding("q-in", 200, 0.9), finding("profiles", 50000, 0.9)}, 200, 50000);
  EXPECT_EQ(report.overall(), Verdict::Kept);
  EXPECT_THAT(settled_words(report), HasSubstr("1 attack's test"));
  EXPECT_THAT(settled_words(report), HasSubstr("no attack learns more than that"));
  report = report_of({finding("q-in", 200, 0.9)}, 200, 50000);
  EXPECT_EQ(settled_words(report), "");
  EXPECT_THAT(details(report), Each(Not(HasSubstr("profiles"))));
  report.subject.live = true;
  EXPECT_THAT(details(report), Contains(HasSubstr("An audit of the index file")));
}

TEST(Undecided, ProfilesReadAtAnotherLevelSettleNothing) {
  Finding attack = finding("q-in", 200, 0.9);
  attack.level = "knowledgeable";
  AuditReport report = report_of({attack, finding("profiles", 50000, 0.9)}, 200, 50000);
  EXPECT_EQ(report.overall(), Verdict::Undecidable);
  EXPECT_EQ(settled_words(report), "");
}

TEST(Undecided, ThePageSaysTheSame) {
  AuditReport report = report_of({finding("q-in", 200, 0.9)}, 200, 50000);
  EXPECT_THAT(to_html(report),
              AllOf(HasSubstr("takes 5,400 attempts"), HasSubstr("--victims 5400 decides it.")));
}

}  // namespace
}  // namespace rankveil::audit
