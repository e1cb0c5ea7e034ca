// Requests worked out by hand, for the engine and for the plain one that it is held against.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/ranking/asking/ask.h"
#include "rankveil/ranking/asking/sort_keys.h"
#include "rankveil/ranking/testing/plain_asking.h"

namespace rankveil {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;
using Numbers = std::vector<double>;

constexpr std::uint16_t none = 0xFFFF;

Column column_of(std::uint32_t domain, const std::vector<std::uint16_t>& values) {
  std::vector<ValueId> ids;
  for (std::uint16_t value : values)
    ids.push_back(value == none ? missing_value : ValueId{static_cast<std::uint16_t>(value)});
  return Column(domain, ids);
}

// city: Oslo, Paris; income: 0, 10, 20; a private grade: a, b, c in that order.
Table six_rows() {
  Schema schema;
  schema.attributes = {
      {"city", Visibility::Public, 1, *Domain::of({"Oslo", "Paris"})},
      {"income", Visibility::Public, 1, *Domain::of({"0", "10", "20"})},
      {"grade", Visibility::Private, 1, *Domain::of({"c", "a", "b"})},
  };
  std::vector<Column> columns = {column_of(2, {0, 1, 1, none, 0, 1}),
                                 column_of(3, {2, 0, none, 1, 1, 0}),
                                 column_of(3, {0, 1, 2, 0, none, 1})};
  return Table(std::move(schema), std::move(columns), RowNames(RowNumbers{6}));
}

struct Answered {
  std::vector<std::uint32_t> rows;
  std::vector<double> scores;
  std::vector<std::int64_t> digits;
};

// What both engines say.
Answered answered(const Profiles& profiles, std::string_view text) {
  Table table = six_rows();
  auto request = request_from_json(*parse_json(text));
  EXPECT_TRUE(request) << request.error().message;
  auto bound = bind_request(table.schema(), attribute_weights(table.schema()), *request);
  EXPECT_TRUE(bound) << bound.error().message;
  auto page = ask(Index::build(public_part(table), profiles, {}), *bound, 1);
  EXPECT_TRUE(page) << page.error().message;
  Answered answer;
  for (const Found& found : page->rows) {
    answer.rows.push_back(+found.row);
    answer.scores.push_back(static_cast<double>(found.score) * page->unit);
    answer.digits.push_back(found.digits);
    EXPECT_EQ(plain::sorted_by(public_part(table), profiles, *bound, +found.row), found.digits);
  }
  plain::Page expected = plain::page(public_part(table), profiles, *bound, std::vector(6, true));
  EXPECT_EQ(expected.rows, answer.rows);
  return answer;
}

Answered answered(std::string_view text) {
  return answered(unprotected_profiles(six_rows()), text);
}

TEST(ByHand, ConditionsDecideWhoTakesPart) {
  EXPECT_THAT(answered(R"({"where": "city = Paris"})").rows, ElementsAre(1, 2, 5));
  EXPECT_THAT(answered(R"({"where": "not city = Paris"})").rows, ElementsAre(0, 4));
  EXPECT_THAT(answered(R"({"where": "city is null or income > 5"})").rows, ElementsAre(0, 3, 4));
}

TEST(ByHand, WishesAddUpAndTiesGoByRow) {
  Answered answer = answered(R"({"prefer": ["city=Paris", "income:more^2", "grade=a|b^0.5"]})");
  EXPECT_THAT(answer.rows, ElementsAre(0, 1, 2, 5, 3, 4));
  EXPECT_THAT(answer.scores, Pointwise(DoubleNear(1e-12), Numbers{2, 1.5, 1.5, 1.5, 1, 1}));
}

TEST(ByHand, NullsComeLastWhicheverWayAKeyGoes) {
  EXPECT_THAT(answered(R"({"sort": "income"})").rows, ElementsAre(1, 5, 3, 4, 0, 2));
  EXPECT_THAT(answered(R"({"sort": "-income"})").rows, ElementsAre(0, 3, 4, 1, 5, 2));
}

// Digits of income have 4 values, those of city 3: 3 x 3 + 2 is income 20 in Oslo.
TEST(ByHand, KeysAreDigitsOfOneNumber) {
  Answered answer = answered(R"({"sort": "-income, city"})");
  EXPECT_THAT(answer.rows, ElementsAre(0, 4, 3, 1, 5, 2));
  EXPECT_THAT(answer.digits, ElementsAre(11, 8, 6, 4, 4, 1));
}

TEST(ByHand, WishesDecideAfterKeysOrBefore) {
  EXPECT_THAT(answered(R"({"sort": "city", "prefer": ["income=10"]})").rows,
              ElementsAre(4, 0, 1, 2, 5, 3));
  EXPECT_THAT(
      answered(R"({"sort": "city", "prefer": ["income=10"], "order": "prefer, sort"})").rows,
      ElementsAre(4, 3, 0, 1, 2, 5));
}

TEST(ByHand, PagesFollowEachOther) {
  EXPECT_THAT(answered(R"({"sort": "-income", "k": 2})").rows, ElementsAre(0, 3));
  EXPECT_THAT(answered(R"({"sort": "-income", "k": 2, "offset": 2})").rows, ElementsAre(4, 1));
  EXPECT_THAT(answered(R"({"sort": "-income", "k": 9, "offset": 4})").rows, ElementsAre(5, 2));
}

// A declared order: c is the least, b the most.
TEST(ByHand, SetsCountTheirBestValue) {
  LevelProfiles sets(6, {3}, 1);
  for (int value : {0, 2})
    sets.set(RowId{0}, PrivateId{0}, ValueId{static_cast<std::uint16_t>(value)});
  for (int value : {0, 1})
    sets.set(RowId{1}, PrivateId{0}, ValueId{static_cast<std::uint16_t>(value)});
  Answered answer = answered(sets, R"({"prefer": ["grade:more"], "sort": "-grade", "k": 3})");
  EXPECT_THAT(answer.rows, ElementsAre(0, 1, 2));
  EXPECT_THAT(answer.digits, ElementsAre(3, 2, 0));
  EXPECT_THAT(answer.scores, Pointwise(DoubleNear(1e-12), Numbers{1, 0.5, 0}));
}

// Rows show a value with probability 1/2; else it is one of their group, which has one a and two b.
// Shown b: 3/2 + (2 + 2 x 3) / 6; nothing shown: 8 / 6, which is 5461.33 parts of 4096.
TEST(ByHand, SharesAreRoundedToPartsOfAPlace) {
  GroupShares shares(1, {3});
  shares.set_size(0, 3);
  shares.set_count(0, PrivateId{0}, ValueId{1}, 1);
  shares.set_count(0, PrivateId{0}, ValueId{2}, 2);
  GroupedProfiles swap{{1, 2}, LevelProfiles(6, {3}, 1), std::vector<std::uint32_t>(6, 0), shares};
  swap.signals.set(RowId{4}, PrivateId{0}, ValueId{2});
  swap.signals.set(RowId{2}, PrivateId{0}, ValueId{0});
  Answered answer = answered(swap, R"({"prefer": ["grade:more"], "sort": "-grade", "k": 3})");
  EXPECT_THAT(answer.rows, ElementsAre(4, 2, 0));
  EXPECT_THAT(answer.digits, ElementsAre(6144 + 5461, 2048 + 5461, 5461));
  EXPECT_THAT(answer.scores, Pointwise(DoubleNear(1e-9), Numbers{0.5 + 2.5 / 6, 2.5 / 6, 2.5 / 6}));
}

TEST(ByHand, HalvesAreRoundedUp) {
  EXPECT_EQ(rounded_digit(1, 2 * parts_of_place, 9), 1);
  EXPECT_EQ(rounded_digit(1, 2 * parts_of_place + 1, 9), 0);
  EXPECT_EQ(rounded_digit(5, 1, 9), 9) << "no more than the best";
}

TEST(ByHand, WhatCannotBeAnsweredIsRefused) {
  Table table = six_rows();
  Index index = Index::build(public_part(table), unprotected_profiles(table), {});
  auto refusal = [&](std::string_view text) {
    auto request = request_from_json(*parse_json(text));
    auto bound = bind_request(table.schema(), attribute_weights(table.schema()), *request);
    auto page = ask(index, *bound, 1);
    EXPECT_FALSE(page) << text;
    return page ? std::string() : page.error().message;
  };
  EXPECT_THAT(refusal(R"({"where": "city = Paris", "offset": 3})"),
              HasSubstr("offset 3 is past the end: 3 rows pass the condition"));
  EXPECT_THAT(refusal(R"({"offset": 6})"), HasSubstr("6 rows are there"));
}

TEST(ByHand, KeysThatDoNotFitAreRefused) {
  Schema schema;
  BoundRequest request;
  for (std::uint32_t i = 0; i < 4; ++i) {
    Attribute attribute;
    attribute.name = "b" + std::to_string(i);
    attribute.visibility = Visibility::Private;
    schema.attributes.push_back(attribute);
    request.keys.push_back({AttributeId{i}, std::vector<std::uint32_t>(15)});
  }
  EXPECT_TRUE(check_keys(request, schema, false));
  Status graded = check_keys(request, schema, true);
  ASSERT_FALSE(graded) << "15 x 4096 + 1 four times are more than 2^62";
  EXPECT_THAT(graded.error().message, HasSubstr("sort keys b0, b1, b2, b3 have more"));
}

}  // namespace
}  // namespace rankveil
