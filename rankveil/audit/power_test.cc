// Is the power statement true? Rankings with leaks of known size are audited over many seeds.
#include "rankveil/audit/power.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rankveil/audit/campaign.h"
#include "rankveil/audit/guesses.h"
#include "rankveil/audit/testing/small_ranking.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/base/testing/sanitized.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;

// Every row matches all values, which tells nothing; but a share of rows only its own.
SmallRanking leaking(std::uint32_t rows, double share, std::uint64_t seed) {
  Table table = small_table(rows, seed);
  LevelProfiles levels(rows, {4, 5}, 1);
  Rng rng(seed * 31 + 7);
  for (std::uint32_t row = 0; row < rows; ++row) {
    bool leaks = rng.uniform() < share;
    for (std::uint32_t j = 0; j < 2; ++j) {
      ValueId own = table.value(RowId{row}, AttributeId{3 + j});
      for (std::uint32_t v = 0; v < levels.domain_sizes()[j]; ++v) {
        ValueId value{static_cast<std::uint16_t>(v)};
        if (!leaks || value == own) levels.set(RowId{row}, PrivateId{j}, value);
      }
    }
  }
  Profiles profiles(std::move(levels));
  Index index = Index::build(public_part(table), profiles, {});
  Arena arena = index_arena(index, profiles, table, {}, 30);
  arena.knowledge.belief.own_rows_match = true;
  arena.takes_inserts = true;
  arena.fresh = [index]() -> Result<std::unique_ptr<attack::Target>> {
    return std::unique_ptr<attack::Target>(
        new attack::IndexTarget(index, 30, attack::unprotected_row(index.schema())));
  };
  return {std::move(table), {}, std::move(profiles), std::move(index), std::move(arena)};
}

struct Audited {
  bool broken = false;
  double laid_open = 0;
};

// One attribute, one method, one level: what the statement is about.
Audited audit_leak(double share, std::uint64_t seed, std::uint64_t victims) {
  SmallRanking ranking = leaking(200, share, seed);
  Priors priors(ranking.table, {}, 10);
  auto campaign = run_campaign(ranking.arena, *attack::find_method("profile-by-sets"),
                               draw_victims(ranking.table.rows(), victims, seed + 99), {});
  auto findings = findings_of(*campaign, ranking.arena, ranking.table, priors);
  std::vector<Finding> one = {findings[0]};
  one[0].promise = {PromiseKind::GainAtMost, 0.5};
  judge(one[0], {count_comparisons(one), false});
  return {one[0].verdict == Verdict::Broken, *power_of(one, 1)[0].laid_open};
}

constexpr std::uint64_t victims = 40;
constexpr int seeds = some_of(40);

double share_found(double leak) {
  int found = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    found += audit_leak(leak, static_cast<std::uint64_t>(seed), victims).broken ? 1 : 0;
  }
  return found / double{seeds};
}

// Of a share of so many audits.
double standard_error(double share) { return std::sqrt(share * (1 - share) / seeds); }

TEST(Power, ALeakOfTheStatedSizeIsFoundWithNinetyFivePercent) {
  double stated = audit_leak(0, 1, victims).laid_open;
  EXPECT_NEAR(stated, 1 - std::pow(0.05, 1.0 / victims), 1e-9);
  EXPECT_GE(share_found(stated), 0.95 - 2 * standard_error(0.95)) << "stated leak " << stated;
  EXPECT_GE(share_found(2 * stated), 0.97);
}

TEST(Power, MuchSmallerLeaksOftenGoUnnoticed) {
  double stated = audit_leak(0, 1, victims).laid_open;
  // The chance to hit one is 1 - 0.05^(1/4), about 53%.
  EXPECT_NEAR(share_found(stated / 4), 0.53, 2.7 * standard_error(0.53));
}

TEST(Power, NoLeakIsNeverCalledOne) { EXPECT_EQ(share_found(0), 0); }

TEST(Power, IsStatedForEveryFindingWithAPromiseAndNoOther) {
  Finding promised;
  promised.level = "ignorant";
  promised.attempts = 1000;
  promised.prior = 0.3;
  promised.promise = {PromiseKind::GainAtMost, 1.0 / 3};
  Finding baseline = promised;
  baseline.level = "prior-public";
  Finding free = promised;
  free.promise = {};
  std::vector findings = {baseline, promised, free};
  EXPECT_EQ(count_comparisons(findings), 1U);
  auto power = power_of(findings, 1);
  ASSERT_EQ(power.size(), 1U);
  EXPECT_NEAR(power[0].allowed, 0.3 + 0.7 / 3, 1e-12);
  EXPECT_EQ(power[0].critical, critical_right(promised, 1));
  EXPECT_NEAR(*power[0].leak, 0.11, 0.02);
  EXPECT_NEAR(*power[0].laid_open, 0.003, 0.0001);
}

TEST(PromiseAt, CoversTheLevelsThatAreTested) {
  Subject subject;
  subject.promise = {PromiseKind::GainAtMost, 0.5};
  subject.against = {AdversaryLevel::MechanismAware};
  auto at = [&](const char* level) {
    Finding finding;
    finding.level = level;
    finding.attribute = "all";
    return promise_of(subject, finding);
  };
  EXPECT_EQ(at("mechanism-table").kind, PromiseKind::GainAtMost);
  EXPECT_EQ(at("mechanism-public").bound, 0.5);
  EXPECT_EQ(at("joint").kind, PromiseKind::None);
  EXPECT_EQ(at("prior").kind, PromiseKind::None);
}

// What columns with coins of their own show says much about each other, whoever moved.
TEST(PromiseAt, OverWhatIsBelievedOfTheMovedIsNotAboutBetsOnOneColumn) {
  Subject subject;
  subject.promise = {PromiseKind::GainAtMost, 1.0 / 3};
  subject.against = {level_of("trained")};
  Finding one, all;
  one.level = all.level = "trained";
  one.attribute = "faith";
  all.attribute = "all";
  EXPECT_EQ(promise_of(subject, one).kind, PromiseKind::GainAtMost);
  subject.promise.over_moved = true;
  EXPECT_EQ(promise_of(subject, one).kind, PromiseKind::None);
  EXPECT_EQ(promise_of(subject, all).kind, PromiseKind::GainAtMost);
}

}  // namespace
}  // namespace rankveil::audit
