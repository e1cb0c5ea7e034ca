#include "rankveil/audit/tally.h"

#include <gtest/gtest.h>

#include <array>

namespace rankveil::audit {
namespace {

constexpr std::array only_first = {1.0, 0.0};
constexpr std::array open_question = {0.25, 0.75};
constexpr std::array four_rows = {Truth{0, 4}};

TEST(Tally, WhatIsLeftAloneByTheReleaseIsProven) {
  Tally tally;
  tally.add(only_first, open_question, four_rows);
  EXPECT_EQ(tally.proven(), 4);
  EXPECT_EQ(tally.certain(), 1);
  EXPECT_EQ(tally.largest_gain(), 1);
}

TEST(Tally, WhatPublicValuesToldIsNotProven) {
  Tally tally;
  tally.add(only_first, only_first, four_rows);
  EXPECT_EQ(tally.proven(), 0);
  EXPECT_EQ(tally.certain(), 1);
  EXPECT_EQ(tally.largest_gain(), 0);
}

TEST(Tally, SparedValuesAreNoGuessAndNoGain) {
  constexpr std::array posterior = {0.9, 0.1, 0.0};
  constexpr std::array prior = {0.5, 0.3, 0.2};
  constexpr std::array<std::uint8_t, 3> spared = {1, 0, 0};
  constexpr std::array truths = {Truth{0, 9}, Truth{1, 1}};
  Tally tally;
  tally.add(posterior, prior, truths, spared);
  EXPECT_EQ(tally.attempts(), 10);
  EXPECT_EQ(tally.right(), 1);  // all ten are guessed to have the second
  EXPECT_EQ(tally.largest_gain(), 0);
  EXPECT_EQ(tally.sure_gain_of_bets(), 0);
  tally.add(only_first, open_question, four_rows, spared);
  EXPECT_EQ(tally.proven(), 0);
  EXPECT_EQ(tally.certain(), 0);
  EXPECT_EQ(tally.largest_gain(), 0);
}

TEST(Tally, AGainOnAnotherValueThanTheSparedOnesCounts) {
  constexpr std::array posterior = {0.5, 0.5};
  constexpr std::array<std::uint8_t, 2> spared = {1, 0};
  Tally tally;
  tally.add(posterior, std::array{0.8, 0.2}, four_rows, spared);
  EXPECT_NEAR(tally.largest_gain(), (0.5 - 0.2) / 0.8, 1e-12);
}

TEST(Tally, WhoDoesNotKnowWhatPublicValuesTellHasItFromTheRelease) {
  Tally tally;
  tally.add(only_first, only_first, four_rows, {}, /*knows_prior=*/false);
  EXPECT_EQ(tally.proven(), 4);
}

}  // namespace
}  // namespace rankveil::audit
