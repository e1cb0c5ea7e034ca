#include "rankveil/audit/check.h"

#include <gtest/gtest.h>

#include "rankveil/audit/levels.h"
#include "rankveil/audit/power.h"
#include "rankveil/audit/repeats.h"
#include "rankveil/audit/testing/small_ranking.h"
#include "rankveil/audit/tie_order.h"
#include "rankveil/audit/trained.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/protect/release/release.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;

constexpr Promise a_third{PromiseKind::GainAtMost, 1.0 / 3};

TEST(Checks, HaveALevelAndAMeaning) {
  for (std::string_view name : check_names()) {
    EXPECT_TRUE(is_check_name(name));
    EXPECT_EQ(level_of(name), check_level(name));
    EXPECT_FALSE(check_meaning(name).empty()) << name;
  }
  EXPECT_FALSE(is_check_name("joint"));
}

TEST(Checks, EvidenceAloneBreaksAPromise) {
  Finding clean = check_finding("fits", "faith", 100, "");
  Finding caught = check_finding("fits", "faith", 100, "r1 matches 2 values");
  clean.promise = caught.promise = a_third;
  judge(clean, {});
  judge(caught, {});
  EXPECT_EQ(clean.verdict, Verdict::Kept);
  EXPECT_EQ(caught.verdict, Verdict::Broken);
  EXPECT_EQ(caught.reason, "r1 matches 2 values");
  EXPECT_EQ(count_comparisons({clean, caught}), 0U);
}

TEST(Bets, OnlyPromisingOnesAreMade) {
  std::vector<Bet> bets(100, Bet{0.1, 0.3, false});
  for (int i = 0; i < 20; ++i) bets.push_back({0.9, 0.3, true});
  Finding finding = bets_finding("trained", insider_method, "faith", bets);
  EXPECT_EQ(finding.attempts, 20U);
  EXPECT_EQ(finding.right, 20);
  EXPECT_NEAR(finding.prior, 0.3, 1e-9);
  EXPECT_GT(finding.gain, 0.1);  // sure of it, at one in a million
  EXPECT_LT(finding.gain, 0.9);
  EXPECT_EQ(bets_finding("trained", insider_method, "faith", {}).attempts, 0U);
}

// An order drawn at random is found unlikely as often as it should be.
TEST(TieOrder, ErrsAsOftenAsItSays) {
  constexpr double alpha = 0.05;
  int alarms = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Rng rng(seed);
    std::vector<TieBlock> blocks(3);
    std::vector<ValueId> values;
    for (TieBlock& block : blocks) {
      for (std::uint32_t i = 0; i < 12; ++i) {
        block.rows.push_back(static_cast<std::uint32_t>(values.size()));
        block.places.push_back(i < 8 ? i : 9.5);
        values.push_back(ValueId{static_cast<std::uint16_t>(rng.below(3))});
      }
    }
    alarms += chance_of_order(blocks, Column(3, values), alpha, seed) <= alpha ? 1 : 0;
  }
  EXPECT_LE(alarms, 33);  // 20 expected; more than 33 happen once in 500 times
  EXPECT_GE(alarms, 6);
}

TEST(Trained, WinsNothingFromAShuffledRelease) {
  SmallRanking ranking = protected_by("drop", 3, 1000, 4);
  Observed observed{
      .table = ranking.table, .profiles = ranking.profiles, .mechanism = ranking.mechanism};
  for (const Finding& finding : judge_trained(observed, 1, 1)) {
    EXPECT_LT(finding.low, finding.prior) << finding.attribute;
  }
}

TEST(Trained, WinsEverythingFromAnUnprotectedOne) {
  SmallRanking ranking = unprotected(1000, 4);
  auto findings = judge_trained({.table = ranking.table, .profiles = ranking.profiles}, 1, 1);
  ASSERT_EQ(findings.size(), 2U);
  for (const Finding& finding : findings) {
    EXPECT_GT(finding.rate, 0.99);
    EXPECT_GT(finding.gain, 0.9);
    EXPECT_NEAR(static_cast<double>(finding.attempts), 500, 60);
  }
}

// They are looked for once an audit, not twice.
TEST(Trained, TakesTheCoinsThatLevelsFound) {
  SmallRanking ranking = protected_by("swap", 3, 1000, 4);
  Observed observed{
      .table = ranking.table, .profiles = ranking.profiles, .mechanism = ranking.mechanism};
  auto judged = judge_profiles(observed, {.threads = 1, .seed = 5});
  ASSERT_TRUE(judged) << judged.error().message;
  ASSERT_TRUE(judged->insider);
  auto own = judge_trained(observed, 5, 1);
  EXPECT_EQ(to_json(own.back()).dump(), to_json(*judged->insider).dump());
  Finding other = *judged->insider;
  other.gain = 0.125;
  EXPECT_EQ(judge_trained(observed, 5, 1, other).back().gain, 0.125);
}

// The same people, and later some more.
Table first_rows_of(const Table& table, std::uint32_t rows) {
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    std::vector<ValueId> values;
    for (std::uint32_t row = 0; row < rows; ++row) {
      values.push_back(table.value(RowId{row}, AttributeId{i}));
    }
    columns.emplace_back(table.schema().attributes[i].domain.size(), values);
  }
  return Table(table.schema(), std::move(columns), RowNames(RowNumbers{rows}));
}

TEST(Repeats, ReleasesThatGrowLeaveRowsAndSharesAlone) {
  for (const char* scheme : {"swap-exact", "cluster", "capped", "ldp"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(::testing::Message() << scheme << ", seed " << seed);
      Table later = first_rows_of(small_table(1400, seed), 1400);
      Table now = first_rows_of(later, 800);
      Demand demand{.scheme = scheme, .l = 3};
      Workload workload;
      SecretKey key = SecretKey::from_seed(seed);
      auto first =
          first_release({.table = now, .workload = workload, .demand = demand, .key = key});
      ASSERT_TRUE(first) << first.error().message;
      Index index =
          Index::build(public_part(first->table), first->profiles, {.scheme = scheme, .l = 3});
      auto second =
          next_release({.table = later, .workload = workload, .demand = demand, .key = key}, index,
                       first->ledger);
      ASSERT_TRUE(second) << second.error().message;
      ASSERT_GT(second->counts.released, 0U);
      EXPECT_EQ(check_builds(now.names(), first->profiles, second->profiles).evidence, "");
      EXPECT_EQ(check_shares(now.names(), first->profiles, second->profiles, 21).evidence, "");
    }
  }
}

TEST(Repeats, TheSameKeyGivesTheSameBuild) {
  for (const char* scheme : {"swap-exact", "cluster", "capped", "ldp", "random", "rr"}) {
    SmallRanking one = protected_by(scheme, 3, 500, 2);
    SmallRanking two = protected_by(scheme, 3, 500, 2);
    Finding finding = check_builds(one.table.names(), one.profiles, two.profiles);
    EXPECT_EQ(finding.evidence, "") << scheme;
    EXPECT_EQ(finding.attempts, 500U) << scheme;
  }
}

// Of people who come and go, only those are compared whom both have.
TEST(Repeats, ARowThatOneLacksIsNoChange) {
  SmallRanking one = protected_by("rr", 3, 500, 2);
  LevelProfiles cut(500, std::get<LevelProfiles>(one.profiles.kinds()).domain_sizes(), 1);
  const auto& whole = std::get<LevelProfiles>(one.profiles.kinds());
  for (std::uint32_t j = 0; j < whole.domain_sizes().size(); ++j) {
    whole.for_each_bit(PrivateId{j}, [&](RowId row, ValueId value, std::uint32_t) {
      if (+row >= 100) cut.set(row, PrivateId{j}, value);
    });
  }
  Profiles other(cut);
  EXPECT_NE(check_builds(one.table.names(), other, one.profiles).evidence, "");
  std::vector<std::uint8_t> there(500, 1);
  std::fill(there.begin(), there.begin() + 100, 0);
  Finding finding = check_builds(one.table.names(), other, one.profiles, there);
  EXPECT_EQ(finding.evidence, "");
  EXPECT_EQ(finding.attempts, 400U);
}

}  // namespace
}  // namespace rankveil::audit
