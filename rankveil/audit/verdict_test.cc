#include "rankveil/audit/verdict.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rankveil/base/random.h"

namespace rankveil::audit {
namespace {

Finding finding(double right, std::uint64_t attempts, Promise promise, double prior,
                double gain = 0) {
  Finding made{.attribute = "religion", .method = "q-in", .level = "ignorant"};
  made.attempts = attempts;
  made.right = right;
  made.prior = prior;
  made.gain = gain;
  made.promise = promise;
  fill_rate(made);
  return made;
}

Verdict judged(Finding made, const Judging& judging = {}) {
  judge(made, judging);
  EXPECT_FALSE(made.reason.empty());
  return made.verdict;
}

const Promise third{PromiseKind::GainAtMost, 1.0 / 3};
const Promise half_guess{PromiseKind::GuessAtMost, 0.5};

TEST(Verdict, OneRowWithTooLargeAGainBreaksAPromise) {
  EXPECT_EQ(judged(finding(500, 1000, third, 0.5, 0.34)), Verdict::Broken);
  EXPECT_EQ(judged(finding(500, 1000, third, 0.5, 1.0 / 3)), Verdict::Kept);
}

TEST(Verdict, MoreRightGuessesThanChanceExplainsBreakAPromise) {
  // Up to two thirds are allowed.
  EXPECT_EQ(judged(finding(670, 1000, third, 0.5)), Verdict::Kept);
  EXPECT_EQ(judged(finding(720, 1000, third, 0.5)), Verdict::Broken);
}

TEST(Verdict, ManyTestsMakeEachOneStricter) {
  Finding near = finding(695, 1000, third, 0.5);
  EXPECT_EQ(judged(near), Verdict::Broken);
  EXPECT_EQ(judged(near, {.comparisons = 100}), Verdict::Kept);
}

TEST(Verdict, OtherEvidenceBreaksAPromiseToo) {
  Finding made = finding(500, 1000, third, 0.5);
  made.evidence = "signals are true too often";
  EXPECT_EQ(judged(made), Verdict::Broken);
  made.promise = {};
  EXPECT_EQ(judged(made), Verdict::NotPromised);
}

TEST(Verdict, FewAttemptsDecideNothing) {
  EXPECT_EQ(judged(finding(3, 5, third, 0.5)), Verdict::Undecidable);
  EXPECT_EQ(judged(finding(0, 0, third, 0.5)), Verdict::Undecidable);
}

TEST(Verdict, BlindAuditsDecideNothingButWhatTheySaw) {
  EXPECT_EQ(judged(finding(100, 1000, third, 0.5), {.blind = true}), Verdict::Undecidable);
  EXPECT_EQ(judged(finding(900, 1000, third, 0.5), {.blind = true}), Verdict::Broken);
}

TEST(Verdict, ProfilesThatWereReadNeedNoSample) {
  Finding few = finding(3, 5, third, 0.5);
  few.method = profiles_method;
  EXPECT_EQ(judged(few), Verdict::Kept);
}

TEST(Verdict, BaselinesAndOtherLevelsAreNotPromised) {
  Finding prior = finding(900, 1000, third, 0.5, 1);
  prior.level = "prior-public";
  EXPECT_EQ(judged(prior), Verdict::NotPromised);
  EXPECT_EQ(judged(finding(900, 1000, {}, 0.5, 1)), Verdict::NotPromised);
}

TEST(Verdict, WhatPublicValuesTellIsNoBreachOfAGuessPromise) {
  EXPECT_EQ(judged(finding(810, 1000, half_guess, 0.8)), Verdict::Kept);
  EXPECT_EQ(judged(finding(600, 1000, half_guess, 0.2)), Verdict::Broken);
}

TEST(Verdict, LikelihoodRatiosBoundRatesAndGains) {
  Promise ratio{PromiseKind::LikelihoodRatio, std::log(3.0)};
  EXPECT_NEAR(allowed_rate(ratio, 0.5), 0.75, 1e-12);
  EXPECT_NEAR(allowed_gain(ratio), 2.0 / 3, 1e-12);
}

// A defense at the very edge of its promise is called broken in 5% of audits at most.
TEST(Verdict, FalseAlarmsStayBelowFivePercent) {
  constexpr int audits = 400;
  constexpr int findings = 10;
  int alarms = 0;
  Rng rng(7);
  for (int audit = 0; audit < audits; ++audit) {
    bool alarm = false;
    for (int f = 0; f < findings; ++f) {
      int right = 0;
      for (int victim = 0; victim < 300; ++victim) right += rng.uniform() < 2.0 / 3 ? 1 : 0;
      Finding made = finding(right, 300, third, 0.5);
      judge(made, {.comparisons = findings});
      alarm = alarm || made.verdict == Verdict::Broken;
    }
    alarms += alarm ? 1 : 0;
  }
  EXPECT_LE(alarms, audits * 7 / 100);
  EXPECT_GT(alarms, 0) << "the test is not so strict that it never speaks";
}

TEST(SmallestLeak, IsFoundInNineteenOfTwentyAudits) {
  constexpr int audits = 2000;
  for (std::uint64_t attempts : {100U, 1000U}) {
    Finding shape = finding(0, attempts, third, 0.4);
    auto leak = smallest_leak(shape, 5);
    ASSERT_TRUE(leak);
    double rate = *leak + (1 - *leak) * allowed_rate(third, 0.4);
    Rng rng(attempts);
    int found = 0;
    for (int audit = 0; audit < audits; ++audit) {
      int right = 0;
      for (std::uint64_t victim = 0; victim < attempts; ++victim) right += rng.uniform() < rate;
      Finding made = finding(right, attempts, third, 0.4);
      judge(made, {.comparisons = 5});
      found += made.verdict == Verdict::Broken ? 1 : 0;
    }
    EXPECT_NEAR(found / double{audits}, 0.95, 0.02) << attempts;
  }
}

TEST(AttemptsNeeded, FindALeakOfOneQuarterAndFewerDoNot) {
  for (double prior : {0.0, 0.3, 0.6, 0.9, 0.99}) {
    SCOPED_TRACE(prior);
    auto needed = attempts_needed(finding(0, 10, third, prior), 200);
    ASSERT_TRUE(needed);
    auto found = smallest_leak(finding(0, *needed, third, prior), 200);
    ASSERT_TRUE(found);
    EXPECT_LE(*found, decidable_leak);
    auto missed = smallest_leak(finding(0, *needed * 8 / 10, third, prior), 200);
    EXPECT_TRUE(!missed || *missed > decidable_leak);
    if (prior >= 0.9) {
      EXPECT_NEAR(static_cast<double>(*needed) * (1 - allowed_rate(third, prior)), 370, 20);
    }
  }
}

TEST(AttemptsNeeded, AreNamedByVerdictsThatLackThem) {
  Finding made = finding(480, 500, third, 0.9);
  judge(made, {.comparisons = 200});
  EXPECT_EQ(made.verdict, Verdict::Undecidable);
  EXPECT_EQ(made.reason, "500 attempts are too few to find even a leak of 25%; 5,400 would do");
  EXPECT_FALSE(attempts_needed(finding(0, 10, third, 1), 1)) << "all guesses are right anyway";
}

TEST(SmallestLeak, IsThereOnlyWithEnoughAttempts) {
  EXPECT_FALSE(smallest_leak(finding(0, 3, third, 0.5), 1));
  EXPECT_FALSE(smallest_leak(finding(0, 1000, third, 1), 1)) << "there is nothing left to leak";
}

}  // namespace
}  // namespace rankveil::audit
