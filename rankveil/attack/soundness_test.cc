// No verdict is ever wrong: many small rankings, every method, every kind of profile.
#include <gtest/gtest.h>

#include <bit>

#include "rankveil/attack/index_target.h"
#include "rankveil/attack/method.h"
#include "rankveil/attack/testing/random_cases.h"
#include "rankveil/base/testing/sanitized.h"
#include "rankveil/ranking/testing/random_tables.h"

namespace rankveil::attack {
namespace {

using namespace testing_support;

struct Tally {
  std::size_t cases = 0;
  std::size_t wrong = 0;
  std::size_t proven = 0;
  std::size_t inconsistent = 0;
};

void check(const RandomCase& ranking, const Finding& finding, Tally& tally) {
  if (finding.outcome == Outcome::Inconsistent) ++tally.inconsistent;
  for (std::uint32_t v = 0; v < finding.verdicts.size(); ++v) {
    bool truth = ranking.matches(finding.attribute, id(v));
    double strength = ranking.strength(finding.attribute, id(v));
    Verdict verdict = finding.verdicts[v];
    if (verdict != Verdict::Open) ++tally.proven;
    bool wrong = (verdict == Verdict::Matched && !truth) || (verdict == Verdict::Excluded && truth);
    const Strength& bounds = finding.strengths[v];
    wrong = wrong || strength < bounds.low - 1e-9 || strength > bounds.high + 1e-9;
    if (wrong) ++tally.wrong;
  }
}

void attack_all(const CaseShape& shape, std::uint64_t seeds, Tally& tally) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const Method& method : methods()) {
      auto ranking = random_case(seed, shape);
      auto report = run(method, {.knowledge = ranking->knowledge,
                                 .target = *ranking->target,
                                 .victim = ranking->victim,
                                 .budget = {.queries = 80, .inserts = 20}});
      ASSERT_TRUE(report) << report.error().message;
      std::size_t wrong = tally.wrong + tally.inconsistent;
      for (const Finding& finding : report->findings) check(*ranking, finding, tally);
      ++tally.cases;
      ASSERT_EQ(tally.wrong + tally.inconsistent, wrong)
          << method.name << " is wrong for seed " << seed << ", kind "
          << static_cast<int>(shape.kind) << ", ties " << static_cast<int>(shape.ties)
          << ", weights to " << shape.heaviest << ", missing " << shape.missing;
    }
  }
}

Tally attack_kind(ProfileKind kind, std::uint32_t levels, std::uint64_t seeds,
                  bool crowded = false) {
  Tally tally;
  for (TieOrder ties : {TieOrder::Ascending, TieOrder::Descending, TieOrder::Random}) {
    for (std::int64_t heaviest : {1, 2, 5}) {
      for (bool missing : {false, true}) {
        attack_all({.kind = kind,
                    .levels = levels,
                    .ties = ties,
                    .heaviest = heaviest,
                    .missing = missing,
                    .most_rows = 40,
                    .crowded = crowded},
                   some_of(some_of(seeds)), tally);
      }
    }
  }
  return tally;
}

TEST(Soundness, UnprotectedVerdictsAreNeverWrong) {
  Tally tally = attack_kind(ProfileKind::OneValue, 1, 300);
  RecordProperty("cases", std::to_string(tally.cases));
  EXPECT_GT(tally.proven, tally.cases) << "the test proves little";
}

TEST(Soundness, VerdictsOnSetsAreNeverWrong) {
  Tally tally = attack_kind(ProfileKind::Sets, 1, 300);
  EXPECT_GT(tally.proven, tally.cases);
}

TEST(Soundness, VerdictsOnGradedProfilesAreNeverWrong) {
  for (std::uint32_t levels : {2U, 3U}) {
    Tally tally = attack_kind(ProfileKind::Graded, levels, 130);
    EXPECT_GT(tally.proven, tally.cases / 2);
  }
}

// Bases with private values and rows whose scores become known later.
TEST(Soundness, VerdictsOnVictimsHiddenByTwinsAreNeverWrong) {
  for (ProfileKind kind : {ProfileKind::OneValue, ProfileKind::Sets, ProfileKind::Graded}) {
    Tally tally = attack_kind(kind, kind == ProfileKind::Graded ? 2 : 1, 150, true);
    EXPECT_GT(tally.proven, tally.cases / 4);
  }
}

// Shares of groups and kept signals, as schemes that score by posterior serve them: strengths of
// any size, through the index that serves them.
TEST(Soundness, VerdictsOnSharesOfGroupsAreNeverWrong) {
  std::size_t matched = 0;
  for (std::uint64_t seed = 0; seed < some_of(1500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = rankveil::testing_support::random_table(
        rng, {.rows = 8 + below(rng, 40), .publics = 3, .privates = 2});
    Profiles profiles = rankveil::testing_support::random_grouped(rng, table, 4, {1, 3});
    Index index = Index::build(public_part(table), profiles, {});
    Knowledge knowledge{table.schema(),
                        public_part(table).columns,
                        weights_of(table.schema()),
                        1 + below(rng, 12),
                        {.kind = ProfileKind::Graded}};
    IndexTarget target(index, knowledge.k);
    std::uint32_t victim = below(rng, table.rows());
    auto report = run(
        seed % 2 == 0 ? "q-point" : "q-in",
        {.knowledge = knowledge, .target = target, .victim = victim, .budget = {.queries = 80}});
    ASSERT_TRUE(report);
    for (const Finding& finding : report->findings) {
      ASSERT_NE(finding.outcome, Outcome::Inconsistent);
      for (std::uint32_t v = 0; v < finding.verdicts.size(); ++v) {
        double strength = index.match(RowId{victim}, finding.attribute, id(v));
        if (finding.verdicts[v] == Verdict::Matched) {
          ASSERT_GT(strength, 0);
        }
        if (finding.verdicts[v] == Verdict::Excluded) {
          ASSERT_EQ(strength, 0);
        }
        ASSERT_LE(finding.strengths[v].low, strength + 1e-9);
        ASSERT_GE(finding.strengths[v].high, strength - 1e-9);
        matched += finding.verdicts[v] == Verdict::Matched;
      }
    }
  }
  EXPECT_GT(matched, some_of(500U)) << "the test proves little";
}

// A method that inserts one row and bisects: as cheap as can be.
TEST(Soundness, QAndIInResolvesEveryVisibleVictimWithinTheBound) {
  std::size_t visible = 0;
  for (std::uint64_t seed = 0; seed < some_of(4000U); ++seed) {
    CaseShape shape{.kind = ProfileKind::OneValue,
                    .ties = static_cast<TieOrder>(seed % 3),
                    .heaviest = 1 + static_cast<std::int64_t>(seed % 5)};
    auto ranking = random_case(seed, shape);
    Request request{.knowledge = ranking->knowledge,
                    .target = *ranking->target,
                    .victim = ranking->victim,
                    .attributes = {PrivateId{0}}};
    Session session(request);
    Base* base = session.base(session.full_query());
    if (!base->shows_victim) continue;
    ++visible;
    // A tie that goes first would push a victim in the last place out of sight.
    bool last = base->returned.back() == ranking->victim;
    auto report = run("qi-in", request);
    const Finding& found = report->findings[0];
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto domain = static_cast<unsigned>(found.verdicts.size());
    if (!last && found.inserts <= 1) {
      // The base, the base again to see how ties go, and the tests.
      EXPECT_LE(found.queries, 2U + std::bit_width(domain - 1));
    }
    if (!last) {
      EXPECT_EQ(found.outcome, Outcome::Resolved);
    }
  }
  EXPECT_GT(visible, some_of(2000U));
}

}  // namespace
}  // namespace rankveil::attack
