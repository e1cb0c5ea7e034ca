#include "rankveil/promise/claim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Promise gain{PromiseKind::GainAtMost, 1.0 / 3};
const Promise over_moved{PromiseKind::GainAtMost, 1.0 / 3, false, true};

TEST(Claim, SaysForHowManyRows) {
  EXPECT_EQ(claim_text(gain, {.rows = 2000, .covered = 571, .base_only = 12}),
            "covers 571 of 2,000 rows, with a gain of at most 0.333; 12 rows have nothing of their "
            "own");
  EXPECT_EQ(claim_text(gain, {.rows = 101766}),
            "covers 0 of 101,766 rows, with a gain of at most 0.333");
  EXPECT_EQ(claim_text(gain, {.rows = 100, .covered = 80}),
            "for 80 of 100 rows, a gain of at most 0.333");
  EXPECT_EQ(claim_text(gain, {.rows = 2, .covered = 1, .base_only = 1}),
            "for 1 of 2 rows, a gain of at most 0.333; 1 row has nothing of its own");
  EXPECT_THAT(claim_text(over_moved, {.rows = 9, .covered = 9, .without_model = 4}),
              HasSubstr("; for 4 of them no model of people is assumed"));
}

TEST(Claim, OfNothingClaimsNothing) {
  EXPECT_EQ(claim_text({}, {.rows = 5, .covered = 5}),
            "for 0 of 5 rows, because nothing is promised");
  EXPECT_EQ(claim_text(gain, {.rows = 5, .base_only = 5}), "all 5 rows have nothing of their own");
}

TEST(Claim, OfSwapIsOverWhatIsBelievedOfARowThatMoved) {
  EXPECT_THAT(claim_text(over_moved, {.rows = 9, .covered = 9}),
              HasSubstr("a gain of at most 0.333 from each column or block over R, what one would "
                        "believe if told that the row moved"));
}

TEST(Claim, NamesNoStrongLevelWithoutItsCondition) {
  for (const Promise& promise :
       {gain, over_moved, Promise{PromiseKind::GuessAtMost, 0.5}, Promise{PromiseKind::GainAtMost},
        Promise{PromiseKind::LikelihoodRatio, 2}}) {
    for (AdversaryLevel level : {AdversaryLevel::Joint, AdversaryLevel::BayesianJoint,
                                 AdversaryLevel::Population, AdversaryLevel::Intersecting}) {
      EXPECT_NE(level_condition(promise, level), "") << promise.text();
    }
  }
}

TEST(Claim, PutsLevelsOnOneConditionTogether) {
  EXPECT_THAT(
      claimed_levels(gain, {AdversaryLevel::Ignorant, AdversaryLevel::Joint,
                            AdversaryLevel::MechanismAware, AdversaryLevel::BayesianJoint}),
      ElementsAre("ignorant, mechanism-aware",
                  "joint, bayesian-joint: about rows whose group shares all public values"));
  EXPECT_THAT(claimed_levels(gain, {}), ElementsAre("nobody"));
}

TEST(Coverage, IsReadBackFromJson) {
  Coverage coverage{.rows = 20, .covered = 7, .base_only = 3, .without_model = 2};
  Json json = Json::Object{};
  add_coverage(coverage, json);
  EXPECT_EQ(coverage_in(json, 20), coverage);
  EXPECT_EQ(coverage_in(json, 9), std::nullopt) << "more rows than there are";
  EXPECT_EQ(coverage_in(Json::Object{}, 20), std::nullopt);
}

}  // namespace
}  // namespace rankveil
