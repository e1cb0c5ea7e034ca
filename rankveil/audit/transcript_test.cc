#include "rankveil/audit/transcript.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/audit/control.h"
#include "rankveil/audit/testing/small_ranking.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;
using testing::HasSubstr;

Claim true_claim(const SmallRanking& ranking, std::uint32_t victim, std::uint32_t attribute) {
  return {victim, PrivateId{attribute},
          ranking.table.value(RowId{victim}, AttributeId{3 + attribute})};
}

std::optional<Transcript> transcript_of(const SmallRanking& ranking, const Claim& claim,
                                        const std::string& method) {
  auto made =
      make_transcript(ranking.arena, ranking.table, claim, *attack::find_method(method), {});
  EXPECT_TRUE(made) << made.error().message;
  return *made;
}

TEST(Transcript, ProvesTheValueInNoMoreStepsThanTheAttack) {
  SmallRanking ranking = unprotected(200, 1);
  for (std::uint32_t victim = 0; victim < 10; ++victim) {
    for (const char* method : {"q-point", "q-in", "qi-point", "qi-in"}) {
      SCOPED_TRACE(testing::Message() << method << ", victim " << victim);
      auto made = transcript_of(ranking, true_claim(ranking, victim, 0), method);
      if (!made) continue;  // q-point does not prove everything
      EXPECT_TRUE(made->confirmed);
      EXPECT_LE(made->steps.size(), made->recorded);
      EXPECT_GE(made->steps.size(), 2U) << "nothing follows from one answer alone";
      EXPECT_EQ(made->victim, "r" + std::to_string(victim));
    }
  }
}

TEST(Transcript, HoldsNoStepThatCouldBeLeftOut) {
  SmallRanking ranking = unprotected(200, 2);
  int seen = 0;
  for (std::uint32_t victim = 0; victim < 10; ++victim) {
    Claim claim = true_claim(ranking, victim, 1);
    auto made = transcript_of(ranking, claim, "q-in");
    if (!made) continue;
    ++seen;
    auto steps = replayable(*made, ranking.table.schema(), ranking.table.names());
    ASSERT_TRUE(steps) << steps.error().message;
    EXPECT_TRUE(proves(ranking.arena.knowledge, claim, steps->steps));
    for (std::size_t i = 0; i < steps->steps.size(); ++i) {
      auto fewer = steps->steps;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(proves(ranking.arena.knowledge, claim, fewer)) << "step " << i;
    }
  }
  EXPECT_GT(seen, 5);
}

TEST(Transcript, DoesNotProveAnythingElse) {
  SmallRanking ranking = unprotected(200, 3);
  Claim claim = true_claim(ranking, 4, 0);
  auto made = transcript_of(ranking, claim, "qi-in");
  ASSERT_TRUE(made);
  auto steps = *replayable(*made, ranking.table.schema(), ranking.table.names());
  Claim other = claim;
  other.value = ValueId{static_cast<std::uint16_t>((+claim.value + 1) % 4)};
  EXPECT_FALSE(proves(ranking.arena.knowledge, other, steps.steps));
  other = claim;
  other.attribute = PrivateId{1};
  EXPECT_FALSE(proves(ranking.arena.knowledge, other, steps.steps));
}

TEST(Replay, SaysWhetherTheValueStillLeaks) {
  SmallRanking ranking = unprotected(200, 4);
  auto made = transcript_of(ranking, true_claim(ranking, 5, 0), "qi-point");
  ASSERT_TRUE(made);
  auto again = replay(ranking.arena, *made, ranking.table.names());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->still_leaks);
  EXPECT_EQ(again->same, again->queries);

  SmallRanking veiled = protected_by("random", 3, 200, 4);
  EXPECT_EQ(again->changes, std::vector<std::string>(made->steps.size()));
  auto never = replay(veiled.arena, *made, veiled.table.names());
  ASSERT_TRUE(never) << never.error().message;
  EXPECT_FALSE(never->still_leaks);
  EXPECT_TRUE(std::ranges::any_of(never->changes, [](const auto& said) {
    return said.starts_with("answered otherwise now: ");
  }));
}

TEST(Replay, RefusesATranscriptOfAnotherTable) {
  SmallRanking ranking = unprotected(100, 5);
  auto made = transcript_of(ranking, true_claim(ranking, 5, 0), "qi-in");
  ASSERT_TRUE(made);
  Transcript other = *made;
  other.victim = "nobody";
  auto refused = replay(ranking.arena, other, ranking.table.names());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("row \"nobody\", which is not there"));
  other = *made;
  other.value = "faith9";
  EXPECT_FALSE(replay(ranking.arena, other, ranking.table.names()));
}

TEST(Control, FindsPlantedRowsOfAnUnprotectedRanking) {
  SmallRanking ranking = unprotected(200, 6);
  std::vector methods = {attack::find_method("qi-in"), attack::find_method("q-in")};
  auto control = run_control(ranking.arena, methods, 10, 1, {});
  ASSERT_TRUE(control) << control.error().message;
  EXPECT_EQ(control->planted, 10U);
  EXPECT_EQ(control->attempts, 20U);
  EXPECT_GE(control->recovered, 15U);
  EXPECT_EQ(control->wrong, 0U);
  EXPECT_FALSE(control->blind);
}

// Answers with rows in the order of their numbers: nothing can be learnt, and the audit must know.
class DeafTarget : public attack::Target {
 public:
  explicit DeafTarget(std::uint32_t rows) : rows_(rows) {}
  Result<std::vector<std::uint32_t>> query(const Query&) override { return first_rows(20); }
  Result<std::uint32_t> insert(std::span<const ValueId>) override { return rows_++; }
  bool takes_inserts() const override { return true; }

 private:
  std::uint32_t rows_;
};

TEST(Control, SaysWhenTheAuditIsBlind) {
  SmallRanking ranking = unprotected(200, 7);
  ranking.arena.fresh = []() -> Result<std::unique_ptr<attack::Target>> {
    return std::unique_ptr<attack::Target>(new DeafTarget(200));
  };
  std::vector methods = {attack::find_method("qi-in")};
  auto control = run_control(ranking.arena, methods, 5, 1, {});
  ASSERT_TRUE(control) << control.error().message;
  EXPECT_TRUE(control->blind);
  EXPECT_THAT(control->note, HasSubstr("blind"));
}

TEST(Control, NeedsATargetThatTakesRows) {
  SmallRanking ranking = unprotected(50, 8);
  ranking.arena.takes_inserts = false;
  std::vector methods = {attack::find_method("q-in")};
  auto control = run_control(ranking.arena, methods, 5, 1, {});
  ASSERT_TRUE(control);
  EXPECT_EQ(control->planted, 0U);
  EXPECT_THAT(control->note, HasSubstr("takes no rows"));
}

}  // namespace
}  // namespace rankveil::audit
