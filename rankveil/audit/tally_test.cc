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

}  // namespace
}  // namespace rankveil::audit
