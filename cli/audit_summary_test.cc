#include "cli/audit_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil::cli {
namespace {

using audit::AuditReport;
using audit::Finding;
using audit::Verdict;
using testing::HasSubstr;
using testing::Not;

Finding finding(const char* level, Verdict verdict, double gain, double rate, double prior) {
  Finding made{.attribute = "income", .method = "profiles", .level = level};
  made.verdict = verdict;
  made.gain = gain;
  made.rate = rate;
  made.prior = prior;
  return made;
}

std::string summary(std::vector<Finding> findings) {
  AuditReport report;
  report.subject.private_attributes = {"income"};
  report.findings = std::move(findings);
  return audit_summary(report, {}, false);
}

TEST(AuditSummary, WhatLearnedMostIsTheWorst) {
  std::string text = summary({finding("joint", Verdict::Kept, 0.3, 0.5, 0.4),
                              finding("ignorant", Verdict::Kept, 0, 0.6, 0.6)});
  EXPECT_THAT(text, HasSubstr("income     kept     joint"));
  EXPECT_THAT(text, Not(HasSubstr("ignorant  ")));
}

TEST(AuditSummary, AmongEqualGainsTheDistanceFromThePriorCounts) {
  EXPECT_THAT(summary({finding("joint", Verdict::Kept, 0.3, 0.9, 0.9),
                       finding("population", Verdict::Kept, 0.3, 0.6, 0.4)}),
              HasSubstr("income     kept     population"));
}

TEST(AuditSummary, ABrokenPromiseComesBeforeALargerGain) {
  EXPECT_THAT(summary({finding("joint", Verdict::NotPromised, 0.9, 0.9, 0.4),
                       finding("ignorant", Verdict::Broken, 0, 0.9, 0.4)}),
              HasSubstr("income     broken   ignorant"));
}

TEST(AuditSummary, ChecksThatFoundNothingAreNotTheWorst) {
  Finding check = finding("ties", Verdict::Kept, 0, 0, 0);
  check.method = "check";
  Finding attack = finding("ignorant", Verdict::Kept, 0, 0.2, 0.4);
  EXPECT_THAT(summary({check, attack}), HasSubstr("income     kept     ignorant"));
  check.verdict = Verdict::Broken;
  EXPECT_THAT(summary({check, attack}), HasSubstr("income     broken   ties"));
}

TEST(AuditSummary, AnAttributeIsNotKeptWhileAnAttackOnItIsUndecided) {
  Finding attack = finding("knowledgeable", Verdict::Undecidable, 0, 0.4, 0.4);
  attack.method = "q-point";
  EXPECT_THAT(summary({finding("ignorant", Verdict::Kept, 0.2, 0.5, 0.4), attack}),
              testing::ContainsRegex("income +undecidable +ignorant"));
}

TEST(AuditSummary, ListsWhatWasRepaired) {
  AuditReport report;
  report.repaired = {"religion, q-in as joint"};
  EXPECT_THAT(gate_summary(report, {}), HasSubstr("Repaired since the baseline (1 finding"));
  EXPECT_THAT(gate_summary(report, {}), HasSubstr("\n  religion, q-in as joint\n"));
}

}  // namespace
}  // namespace rankveil::cli
