#include "rankveil/audit/other_release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Attribute other_attribute(const std::string& name, Visibility visibility,
                          std::vector<std::string> values) {
  return {name, visibility, 1, *Domain::of(std::move(values))};
}

Column other_column(std::uint32_t domain, std::vector<std::uint32_t> codes) {
  std::vector<ValueId> values;
  for (std::uint32_t code : codes) {
    values.push_back(code == 9 ? missing_value : ValueId{static_cast<std::uint16_t>(code)});
  }
  return {domain, values};
}

// The audited index: anna, bob, cid; two religions.
Table truth_of_three() {
  return Table({{other_attribute("city", Visibility::Public, {"Oslo", "Rome"}),
                 other_attribute("religion", Visibility::Private, {"none", "some"})},
                "id"},
               {other_column(2, {0, 1, 0}), other_column(2, {0, 1, 1})},
               RowNames(TextNames{"annabobcid", {4, 7, 10}}));
}

// Last month: cid, dora, bob, who showed some, old and none; nothing is known of bob's group.
PublicTable rows_of_last_month(std::vector<std::string> religions = {"old", "some", "none"}) {
  return {{{other_attribute("city", Visibility::Public, {"Rome"}),
            other_attribute("religion", Visibility::Private, std::move(religions))},
           "id"},
          {other_column(1, {0, 0, 9})},
          RowNames(TextNames{"ciddorabob", {3, 7, 10}})};
}

LevelProfiles shown_last_month() {
  LevelProfiles signals(3, {3}, 1);
  signals.set(RowId{0}, PrivateId{0}, ValueId{1});
  signals.set(RowId{1}, PrivateId{0}, ValueId{0});
  signals.set(RowId{2}, PrivateId{0}, ValueId{2});
  return signals;
}

TEST(OtherRelease, HasTheRowsAndValuesOfTheTable) {
  Index index = Index::build(rows_of_last_month(), shown_last_month(), {.scheme = "rr"});
  auto other = in_rows_of(truth_of_three(), index);
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_EQ(other->common, 2U);
  EXPECT_THAT(other->there, ElementsAre(0, 1, 1));
  ASSERT_EQ(other->profiles.rows(), 3U);
  auto match = [&](std::uint32_t row, std::uint16_t value) {
    return other->profiles.match(RowId{row}, PrivateId{0}, ValueId{value});
  };
  EXPECT_EQ(match(0, 0) + match(0, 1), 0) << "anna was not there";
  EXPECT_EQ(match(1, 0), 1) << "bob showed none";
  EXPECT_EQ(match(1, 1), 0);
  EXPECT_EQ(match(2, 1), 1) << "cid showed some";
}

TEST(OtherRelease, LeavesRowsThatItLacksInAGroupThatShowsNothing) {
  GroupShares shares(1, {3});
  shares.set_size(0, 4);
  shares.set_count(0, PrivateId{0}, ValueId{1}, 3);
  GroupedProfiles grouped{{1, 2}, shown_last_month(), {0, 0, 0}, std::move(shares)};
  Index index = Index::build(rows_of_last_month(), Profiles(grouped), {.scheme = "swap"});
  auto other = in_rows_of(truth_of_three(), index);
  ASSERT_TRUE(other) << other.error().message;
  const auto& made = std::get<GroupedProfiles>(other->profiles.kinds());
  EXPECT_TRUE(made.shares.in_full(made.group_of[0]));
  EXPECT_FALSE(made.shares.in_full(made.group_of[1]));
  EXPECT_EQ(made.group_of[1], made.group_of[2]);
  EXPECT_EQ(other->profiles.match(RowId{0}, PrivateId{0}, ValueId{1}), 0);
  EXPECT_EQ(other->profiles.match(RowId{1}, PrivateId{0}, ValueId{1}), 0.5 * 3 / 4);
}

TEST(OtherRelease, IsRefusedWithoutACommonRowOrWithOtherColumns) {
  Index index = Index::build(rows_of_last_month(), shown_last_month(), {.scheme = "rr"});
  Table truth = truth_of_three();
  Table strangers(truth.schema(), {other_column(2, {0}), other_column(2, {0})},
                  RowNames(TextNames{"eve", {3}}));
  auto none = in_rows_of(strangers, index);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("no row of the target"));
  Schema schema = truth.schema();
  schema.attributes[1].name = "politics";
  Table renamed(schema, {other_column(2, {0}), other_column(2, {0})},
                RowNames(TextNames{"bob", {3}}));
  auto other = in_rows_of(renamed, index);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("other private attributes"));
}

}  // namespace
}  // namespace rankveil::audit
