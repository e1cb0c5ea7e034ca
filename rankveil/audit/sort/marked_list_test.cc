#include "rankveil/audit/sort/marked_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/base/random.h"

namespace rankveil::audit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t codes = 3;
const std::vector<bool> all_open(codes, true);

std::vector<std::uint32_t> fits(const std::vector<std::uint32_t>& rows, const Marks& marks,
                                std::uint32_t row) {
  MarkedList list(rows, marks, codes);
  return fitting(std::span(&list, 1), row, all_open);
}

TEST(MarkedList, BetweenTwoMarksOfAValueIsThatValue) {
  EXPECT_THAT(fits({10, 1, 11, 12}, {{10, 0}, {11, 0}, {12, 1}}, 1), ElementsAre(0));
}

TEST(MarkedList, BetweenMarksOfTwoValuesIsOneOfThemOrOneThatNobodyMarked) {
  EXPECT_THAT(fits({10, 1, 11}, {{10, 0}, {11, 1}}, 1), ElementsAre(0, 1, 2));
  EXPECT_THAT(fits({10, 1, 11, 12}, {{10, 0}, {11, 1}, {12, 2}}, 1), ElementsAre(0, 1));
}

TEST(MarkedList, BothDirectionsTogetherTellWhereEqualsKeepTheirOrder) {
  const Marks marks = {{10, 0}, {11, 1}, {12, 2}};
  // Marks come last of their equals, up and down.
  std::vector<MarkedList> lists;
  for (std::vector<std::uint32_t> rows : {std::vector<std::uint32_t>{1, 10, 2, 11, 3, 12},
                                          std::vector<std::uint32_t>{3, 12, 2, 11, 1, 10}}) {
    lists.emplace_back(rows, marks, codes);
  }
  EXPECT_THAT(fitting(lists, 1, all_open), ElementsAre(0));
  EXPECT_THAT(fitting(lists, 2, all_open), ElementsAre(1));
  EXPECT_THAT(fitting(lists, 3, all_open), ElementsAre(2));
}

TEST(MarkedList, TheEndsOfAListTellWhereMarksStandAmongEquals) {
  const Marks marks = {{10, 0}, {11, 1}, {12, 2}};
  const std::vector<std::uint32_t> last = {1, 4, 5, 10, 2, 11, 3, 12};
  MarkedList list(last, marks, codes);
  std::vector<double> weights(codes, 1);
  list.weigh(2, weights);
  EXPECT_GT(weights[1], 6 * weights[0]);
  EXPECT_EQ(weights[2], weights[0]);
  const std::vector<std::uint32_t> first = {10, 2, 11, 3, 12, 1, 4, 5};
  weights.assign(codes, 1);
  MarkedList(first, marks, codes).weigh(2, weights);
  EXPECT_GT(weights[0], 6 * weights[1]);
}

TEST(MarkedList, ScatteredMarksContradict) {
  const Marks marks = {{10, 0}, {11, 1}, {12, 0}};
  MarkedList list(std::vector<std::uint32_t>{10, 11, 1, 12}, marks, codes);
  EXPECT_TRUE(list.contradicts());
  EXPECT_THAT(fitting(std::span(&list, 1), 1, all_open), IsEmpty());
  std::vector<double> votes(codes, 0);
  list.vote(1, 1, votes);
  EXPECT_THAT(votes, ElementsAre(1, 1, 0));
}

TEST(MarkedList, WhoIsLeftOutStandsBehind) {
  EXPECT_THAT(fits({10, 11, 12}, {{10, 0}, {11, 1}, {12, 2}}, 7), ElementsAre(2));
}

// Codes 0 to 5, and 6 for none.
std::vector<std::uint32_t> fits_in_order(const std::vector<std::uint32_t>& rows, const Marks& marks,
                                         std::uint32_t row) {
  MarkedList list(rows, marks, 7, true);
  return fitting(std::span(&list, 1), row, std::vector<bool>(7, true));
}

TEST(MarkedList, WhereMarksStandInOrderNothingIsBeyondTheirValues) {
  const Marks marks = {{10, 1}, {11, 3}, {12, 4}, {13, 6}};
  for (std::vector<std::uint32_t> rows : {std::vector<std::uint32_t>{1, 10, 2, 11, 3, 12, 4, 13, 5},
                                          std::vector<std::uint32_t>{13, 5, 4, 12, 3, 11, 2, 10, 1},
                                          std::vector<std::uint32_t>{13, 1, 10, 2, 11, 3, 12, 4}}) {
    const bool none_first = rows[0] == 13 && rows[1] == 1;
    EXPECT_THAT(fits_in_order(rows, marks, 2), ElementsAre(1, 2, 3));
    EXPECT_THAT(fits_in_order(rows, marks, 3), ElementsAre(3, 4));
    if (none_first) {
      EXPECT_THAT(fits_in_order(rows, marks, 1), ElementsAre(0, 1, 6));
      EXPECT_THAT(fits_in_order(rows, marks, 4), ElementsAre(4, 5));
      continue;
    }
    EXPECT_THAT(fits_in_order(rows, marks, 1), ElementsAre(0, 1));
    EXPECT_THAT(fits_in_order(rows, marks, 4), ElementsAre(4, 5, 6));
  }
}

TEST(MarkedList, MarksOutOfOrderRuleOutNothingByIt) {
  const std::vector<std::uint32_t> rows = {10, 1, 11, 12};
  const Marks marks = {{10, 3}, {11, 1}, {12, 4}};
  MarkedList list(rows, marks, 7, true);
  EXPECT_FALSE(list.goes_by_codes());
  EXPECT_THAT(fits_in_order(rows, marks, 1), ElementsAre(0, 1, 2, 3, 5, 6));
}

// Whatever the order of values and of equals, the true value of a row always fits, and nothing else
// fits between two marks of a value.
TEST(MarkedList, NeverRulesOutTheTruthInASortedList) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const std::vector<std::uint32_t> order =
        seed % 2 == 0 ? std::vector<std::uint32_t>{0, 1, 2} : std::vector<std::uint32_t>{2, 0, 1};
    std::vector<std::uint32_t> value(40), rows(40);
    for (std::uint32_t row = 0; row < 40; ++row) {
      value[row] = static_cast<std::uint32_t>(rng.below(codes));
      rows[row] = row;
    }
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[rng.below(i)]);
    std::ranges::stable_sort(rows, {}, [&](std::uint32_t row) { return order[value[row]]; });
    Marks marks;
    for (std::uint32_t row = 0; row < 8; ++row) marks.emplace(row, value[row]);
    MarkedList list(rows, marks, codes);
    ASSERT_FALSE(list.contradicts()) << seed;
    for (std::uint32_t row = 8; row < 40; ++row) {
      ASSERT_TRUE(list.possible(row)[value[row]]) << seed << ", row " << row;
    }
  }
}

}  // namespace
}  // namespace rankveil::audit
