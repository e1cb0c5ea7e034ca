#include "rankveil/audit/people/share_judge.h"

#include <gtest/gtest.h>

#include "rankveil/audit/testing/made_up_people.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;

// Base shares by hand: one group of everybody, and one of the first rows, whatever they hold.
GroupedProfiles shares_of(const CodedRows& people, std::uint32_t clinic, std::uint32_t illness) {
  std::vector<std::uint32_t> domains(made_up_privates, made_up_values);
  GroupShares shares(2, domains);
  GroupedProfiles made{{1, 3}, LevelProfiles(people.rows, domains, 1), {}, {}};
  shares.set_size(0, people.rows);
  shares.set_size(1, clinic);
  for (std::uint32_t j = 0; j < made_up_privates; ++j) {
    for (std::uint32_t x = 0; x < made_up_values; ++x) {
      std::uint32_t count = 0;
      for (std::uint32_t row = 0; row < people.rows; ++row) {
        count += people.codes[made_up_publics + j][row] == x ? 1 : 0;
      }
      shares.set_count(0, PrivateId{j}, ValueId{static_cast<std::uint16_t>(x)}, count);
    }
    shares.set_count(1, PrivateId{j}, ValueId{static_cast<std::uint16_t>(illness)}, clinic);
  }
  for (std::uint32_t row = 0; row < people.rows; ++row) {
    made.group_of.push_back(row < clinic ? 1 : 0);
  }
  made.shares = std::move(shares);
  return made;
}

TEST(ShareJudge, FindsAGroupWhereAllHaveOneValue) {
  CodedRows people = made_up_people(2000, 1);
  GroupedProfiles clinic = shares_of(people, 25, 4);
  auto judged = judge_shares(
      {.truth = people, .publics = made_up_publics, .profiles = clinic, .bound = 1.0 / 3});
  ASSERT_TRUE(judged);
  for (const GainCounts& gains : judged->gains) {
    EXPECT_NEAR(gains.largest(), 1, 0.001);
    EXPECT_GE(gains.above(3), 10U);
    EXPECT_LE(gains.above(3), 25U) << "nobody outside of the group";
  }
}

TEST(ShareJudge, CountsWhatPlainArithmeticCounts) {
  CodedRows people = made_up_people(4000, 2), others = made_up_people(20000, 3);
  GroupedProfiles everybody = shares_of(people, 0 + 1, 0);
  auto judged = judge_shares({.truth = people,
                              .publics = made_up_publics,
                              .profiles = everybody,
                              .population = &others,
                              .bound = 1.0 / 3});
  ASSERT_TRUE(judged);
  GainCounts plain(1.0 / 3);
  for (std::uint32_t row = 1; row < people.rows; ++row) {
    for (std::uint32_t x = 0; x < made_up_values; ++x) {
      double before = made_up_chance(people, row, 0, x);
      double share =
          everybody.shares.count(0, PrivateId{0}, ValueId{static_cast<std::uint16_t>(x)}) /
          static_cast<double>(people.rows);
      if (before < 0.5) plain.add((share - before) / (1 - before));
    }
  }
  EXPECT_NEAR(judged->gains[0].share_above(0), plain.share_above(0), 0.02);
  EXPECT_LT(plain.largest(), 0.5);
}

TEST(ShareJudge, LeavesTablesAloneThatNobodyCanLearnFrom) {
  CodedRows people = made_up_people(100, 4);
  GroupedProfiles all = shares_of(people, 1, 0);
  EXPECT_FALSE(judge_shares({.truth = people, .publics = made_up_publics, .profiles = all}));
}

}  // namespace
}  // namespace rankveil::audit
