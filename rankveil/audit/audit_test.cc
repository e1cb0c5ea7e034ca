#include "rankveil/audit/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/audit/testing/small_ranking.h"
#include "rankveil/audit/truth.h"
#include "rankveil/audit/verify.h"
#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/groups/group_sizes.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::audit {
namespace {

// The tables here are small: so are the classes of swap-exact, in all tests of this program.
const GroupSizes::Hook small_classes({.batch = 2, .exact_class = 2});

using namespace testing_support;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// All levels but informed.
std::vector<AdversaryLevel> everybody() {
  return {AdversaryLevel::Ignorant,       AdversaryLevel::Knowledgeable,
          AdversaryLevel::MechanismAware, AdversaryLevel::Joint,
          AdversaryLevel::BayesianJoint,  AdversaryLevel::Population,
          AdversaryLevel::Intersecting};
}

AuditTask task_for(const SmallRanking& ranking) {
  AuditTask task{.truth = ranking.table, .arena = ranking.arena};
  task.profiles = &ranking.profiles;
  task.mechanism = ranking.mechanism;
  Demand demand = ranking.mechanism ? ranking.mechanism->demand : Demand{};
  const Scheme* scheme = find_scheme(demand.scheme);
  task.subject.scheme = ranking.index.info().scheme;
  task.subject.promise = scheme->promise_for(demand, ranking.table.schema());
  task.subject.against = everybody();
  task.subject.private_attributes = {"faith", "diet"};
  task.victims = 100;
  task.canaries = 4;
  task.victims_before = 20;
  return task;
}

AuditReport audited(const AuditTask& task) {
  auto report = run_audit(task);
  EXPECT_TRUE(report) << report.error().message;
  return report ? *report : AuditReport{};
}

std::vector<std::string> broken_levels(const AuditReport& report, const std::string& method) {
  std::vector<std::string> levels;
  for (const Finding& finding : report.findings) {
    if (finding.verdict == Verdict::Broken && finding.method == method) {
      levels.push_back(finding.level);
    }
  }
  return levels;
}

TEST(Audit, AnUnprotectedRankingIsBrokenByTheWeakestLevel) {
  SmallRanking ranking = unprotected(600, 1);
  AuditReport report = audited(task_for(ranking));
  EXPECT_EQ(report.overall(), Verdict::Broken);
  EXPECT_EQ(report.first_broken()->level, "ignorant");
  for (const Finding& finding : report.findings) {
    if (finding.method == "q-in" || finding.method == "qi-in") {
      EXPECT_EQ(finding.proven, finding.attempts) << finding.method;
    }
  }
  EXPECT_EQ(report.control.recovered, report.control.attempts);
  ASSERT_TRUE(report.transcript);
  EXPECT_TRUE(report.transcript->confirmed);
  EXPECT_LE(report.transcript->steps.size(), 4U);
}

TEST(Audit, PublishedSetsAreBrokenByThoseWhoKnowTheMechanism) {
  SmallRanking ranking = protected_by("pvsv", 2, 600, 2);
  AuditReport report = audited(task_for(ranking));
  EXPECT_EQ(report.overall(), Verdict::Broken);
  EXPECT_THAT(broken_levels(report, "profiles"), Contains(HasSubstr("mechanism")));
  EXPECT_THAT(broken_levels(report, "profiles"), testing::Not(Contains("ignorant")));
}

TEST(Audit, SwapKeepsItsPromiseAgainstEverybody) {
  for (std::uint64_t seed = 3; seed < 3 + some_of(3U); ++seed) {
    SmallRanking ranking = protected_by("swap-exact", 3, 1200, seed);
    AuditReport report = audited(task_for(ranking));
    EXPECT_NE(report.overall(), Verdict::Broken)
        << "seed " << seed << ": "
        << (report.first_broken() != nullptr ? report.first_broken()->reason : "");
    EXPECT_FALSE(report.transcript);
  }
}

TEST(Audit, ReportsAddUp) {
  SmallRanking ranking = protected_by("random", 2, 400, 7);
  AuditTask task = task_for(ranking);
  task.subject.fingerprint = fingerprint(ranking.table);
  task.subject.rows = ranking.table.rows();
  AuditReport report = audited(task);
  EXPECT_THAT(verify(report, to_json(report), &ranking.table).misfits, IsEmpty());
}

TEST(Audit, TheSameTaskGivesTheSameReport) {
  SmallRanking ranking = protected_by("random", 2, 300, 8);
  AuditTask task = task_for(ranking);
  auto told = [&](std::uint32_t threads) {
    ranking.arena.threads = threads;
    task.threads = threads;
    AuditReport report = audited(task);
    report.seconds = 0;
    return to_json(report).dump();
  };
  EXPECT_EQ(told(1), told(2));
  std::string first = told(1);
  task.seed = 2;
  EXPECT_NE(told(1), first);
}

TEST(Audit, ComparesWithTheUnprotectedRanking) {
  SmallRanking ranking = protected_by("random", 2, 300, 9);
  AuditReport report = audited(task_for(ranking));
  double before = 0;
  for (const Curve& curve : report.curves) {
    bool proven = !curve.points.empty();
    EXPECT_TRUE(curve.name == "before" || !proven) << curve.method;
    if (curve.name == "before" && proven) before = std::max(before, curve.points.back().share);
  }
  EXPECT_EQ(before, 1);
}

TEST(Audit, WithoutProfilesOnlyAttacksCount) {
  SmallRanking ranking = unprotected(300, 10);
  AuditTask task = task_for(ranking);
  task.profiles = nullptr;
  AuditReport report = audited(task);
  for (const Finding& finding : report.findings) EXPECT_NE(finding.method, "profiles");
  EXPECT_EQ(report.findings[0].level, "prior");
  EXPECT_THAT(report.notes, Contains(HasSubstr("shows no profiles")));
  EXPECT_EQ(report.overall(), Verdict::Broken);
}

// Randomised values that are taken for the true ones.
TEST(Audit, ProofsThatAreWrongBreakNothing) {
  for (std::uint64_t seed = 12; seed < 15; ++seed) {
    SmallRanking ranking = protected_by("rr", 3, 600, seed);
    ranking.arena.knowledge.belief = unprotected_belief(ranking.table);
    ranking.arena.own_value_shows = true;
    ranking.arena.takes_inserts = false;
    AuditTask task = task_for(ranking);
    task.profiles = nullptr;
    task.mechanism.reset();
    task.subject.promise = {PromiseKind::GainAtMost, 0.5};
    AuditReport report = audited(task);
    EXPECT_NE(report.overall(), Verdict::Broken)
        << "seed " << seed << ": "
        << (report.first_broken() != nullptr ? report.first_broken()->reason : "");
    EXPECT_THAT(report.notes, Contains(HasSubstr("that it takes for proven")));
    EXPECT_FALSE(report.transcript) << "nothing is proven by what is often wrong";
  }
}

TEST(Audit, LevelsThatAreNotTestedBreakNothing) {
  SmallRanking ranking = protected_by("pvsv", 2, 600, 2);
  AuditTask task = task_for(ranking);
  task.subject.against = {AdversaryLevel::Ignorant};
  AuditReport report = audited(task);
  EXPECT_NE(report.overall(), Verdict::Broken);
}

TEST(Audit, RefusesMethodsThatAreNotThere) {
  SmallRanking ranking = unprotected(50, 11);
  AuditTask task = task_for(ranking);
  task.methods = {"telepathy"};
  EXPECT_FALSE(run_audit(task));
}

}  // namespace
}  // namespace rankveil::audit
