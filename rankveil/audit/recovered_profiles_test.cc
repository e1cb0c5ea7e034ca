#include "rankveil/audit/recovered_profiles.h"

#include <gtest/gtest.h>

#include "rankveil/audit/testing/recovered_rankings.h"
#include "rankveil/base/testing/sanitized.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;

void expect_same_profiles(const SmallRanking& ranking, const RecoveredProfiles& recovered) {
  for (std::uint32_t row = 0; row < ranking.table.rows(); ++row) {
    for (std::uint32_t j = 0; j < 2; ++j) {
      if (recovered.sight.known[j][row] == 0) continue;
      for (std::uint32_t v = 0; v < 4 + j; ++v) {
        ValueId value{static_cast<std::uint16_t>(v)};
        EXPECT_NEAR(recovered.profiles.match(RowId{row}, PrivateId{j}, value),
                    ranking.profiles.match(RowId{row}, PrivateId{j}, value), 1e-9)
            << "row " << row << ", attribute " << j << ", value " << v;
      }
    }
  }
}

TEST(RecoveredProfiles, AreThoseThatTheIndexHolds) {
  for (const Demand& demand : recoverable_demands()) {
    for (std::uint64_t seed = 0; seed < some_of(2U); ++seed) {
      SCOPED_TRACE(testing::Message() << demand.scheme << ", seed " << seed);
      SmallRanking ranking = even_ranking(demand, seed);
      RecoveredProfiles recovered =
          recovered_profiles(all_campaigns(ranking.arena, first_rows(72)), ranking.arena);
      EXPECT_EQ(recovered.wholly, 72U);
      EXPECT_EQ(recovered.partly + recovered.hidden, 0U);
      expect_same_profiles(ranking, recovered);
    }
  }
}

// The value that pvsv adds to nearly all sets cannot be found by queries alone.
TEST(RecoveredProfiles, AreCompletedByTheSchemeWhereQueriesAloneLeaveAValueOpen) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    SmallRanking ranking = even_ranking({.scheme = "pvsv", .l = 2}, seed);
    ranking.arena.takes_inserts = false;
    auto campaigns = all_campaigns(ranking.arena, first_rows(72));
    EXPECT_EQ(recovered_profiles(campaigns, ranking.arena).wholly, 0U);
    auto possible = PossibleProfiles::of_scheme(ranking.table, *ranking.mechanism, 1);
    ASSERT_TRUE(possible);
    RecoveredProfiles recovered = recovered_profiles(campaigns, ranking.arena, *possible);
    EXPECT_EQ(recovered.wholly, 72U);
    expect_same_profiles(ranking, recovered);
  }
}

TEST(RecoveredProfiles, SharesAndPosteriorsStayOpen) {
  for (const char* scheme : {"swap-exact", "cluster", "capped", "ldp", "rr-mean"}) {
    SmallRanking ranking = even_ranking({.scheme = scheme, .l = 2}, 1);
    RecoveredProfiles recovered =
        recovered_profiles(all_campaigns(ranking.arena, first_rows(10)), ranking.arena);
    EXPECT_EQ(recovered.wholly + recovered.partly, 0U) << scheme;
  }
}

// ---- By hand: one private attribute of three values ----

class ByHand : public testing::Test {
 protected:
  ByHand() {
    Knowledge& knowledge = arena_.knowledge;
    knowledge.schema.attributes = {attribute("city", Visibility::Public, 2),
                                   attribute("faith", Visibility::Private, 3)};
    knowledge.public_columns = {Column(2, std::vector<ValueId>(4, ValueId{0}))};
    knowledge.belief.kind = attack::ProfileKind::Sets;
  }

  using Bounds = std::vector<attack::Strength>;
  static Campaign campaign(const Bounds& bounds) {
    Attacked attacked{.victim = 2, .seen = true};
    attacked.attributes.emplace_back().strengths = bounds;
    return {"by-hand", {attacked}};
  }

  using Knowledge = attack::Knowledge;
  static constexpr attack::Strength yes{1, 1}, no{0, 0}, open{0, 1};
  Arena arena_;
};

TEST_F(ByHand, AttacksTogetherSettleWhatEachLeavesOpen) {
  std::vector<Campaign> campaigns = {campaign({yes, open, no}), campaign({open, no, open})};
  RecoveredProfiles recovered = recovered_profiles(campaigns, arena_);
  EXPECT_EQ(recovered.wholly, 1U);
  EXPECT_EQ(recovered.sight.attacked, (std::vector<std::uint8_t>{0, 0, 1, 0}));
  EXPECT_EQ(recovered.sight.known[0], recovered.sight.attacked);
  EXPECT_EQ(recovered.profiles.match(RowId{2}, PrivateId{0}, ValueId{0}), 1);
  EXPECT_EQ(recovered_profiles(std::span(campaigns).first(1), arena_).wholly, 0U);
}

TEST_F(ByHand, AContradictionVoidsEverythingAboutTheVictim) {
  std::vector<Campaign> campaigns = {campaign({yes, no, no}), campaign({open, open, open})};
  campaigns[1].victims[0].contradicted = true;
  EXPECT_EQ(recovered_profiles(campaigns, arena_).wholly, 0U);
}

TEST_F(ByHand, AVictimThatIsNeverSeenIsHiddenAndStaysAnAttempt) {
  Campaign unseen = campaign({open, open, open});
  unseen.victims[0].seen = false;
  RecoveredProfiles recovered = recovered_profiles(std::span(&unseen, 1), arena_);
  EXPECT_EQ(recovered.hidden, 1U);
  EXPECT_EQ(recovered.sight.attacked[2], 1);
  EXPECT_EQ(recovered.sight.known[0][2], 0);
}

TEST_F(ByHand, StepsThatAddUpToOneLeaveNothingForOthers) {
  arena_.knowledge.belief = {.kind = attack::ProfileKind::Graded, .levels = 2};
  Campaign halves = campaign({{0.5, 1}, {0.5, 1}, {0, 1}});
  RecoveredProfiles recovered = recovered_profiles(std::span(&halves, 1), arena_);
  EXPECT_EQ(recovered.wholly, 1U);
  EXPECT_EQ(recovered.profiles.match(RowId{2}, PrivateId{0}, ValueId{1}), 0.5);
  EXPECT_EQ(recovered.profiles.match(RowId{2}, PrivateId{0}, ValueId{2}), 0);
}

}  // namespace
}  // namespace rankveil::audit
