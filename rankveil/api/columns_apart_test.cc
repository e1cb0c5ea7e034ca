#include "rankveil/api/columns_apart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/base/random.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::api {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Private columns race, birth and pay; birth says what race does but for one row in twenty.
Table table_with_copies() {
  Rng rng(1);
  std::vector<ValueId> race, birth, pay;
  for (std::uint32_t row = 0; row < 2000; ++row) {
    auto draw = [&] { return ValueId{static_cast<std::uint16_t>(rng.below(4))}; };
    race.push_back(draw());
    birth.push_back(rng.below(20) == 0 ? draw() : race.back());
    pay.push_back(draw());
  }
  Schema schema;
  std::vector<Column> columns;
  for (const auto& [name, values] : {std::pair{"race", race}, {"birth", birth}, {"pay", pay}}) {
    schema.attributes.push_back({.name = name,
                                 .visibility = Visibility::Private,
                                 .domain = *Domain::of({"a", "b", "c", "d"})});
    columns.emplace_back(4, values);
  }
  return Table(schema, columns, RowNames(RowNumbers{2000}));
}

class ColumnsApartCheck : public testing::Test {
 protected:
  Result<std::vector<ColumnsApart>> check(bool goes_on = false, const char* scheme = "swap") {
    return check_columns_apart({policy, *find_scheme(scheme), goes_on}, table, warnings);
  }

  Table table = table_with_copies();
  Policy policy;
  std::vector<std::string> warnings;
};

TEST_F(ColumnsApartCheck, RefusesNearCopiesThatNothingIsSaidOf) {
  auto checked = check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::BadInput);
  EXPECT_THAT(checked.error().message,
              AllOf(HasSubstr("race, birth ("), HasSubstr("together = [[\"race\", \"birth\"]]"),
                    HasSubstr("apart = [[\"race\", \"birth\"]]")));
}

TEST_F(ColumnsApartCheck, HasNothingToSayWhereTheyShareACoin) {
  policy.together = {{"birth", "race"}};
  auto checked = check();
  ASSERT_TRUE(checked);
  EXPECT_THAT(*checked, IsEmpty());
}

TEST_F(ColumnsApartCheck, SaysWhatIsLostWhereTheyAreMeantToBeApart) {
  policy.apart = {{"pay", "birth", "race"}};
  auto checked = check();
  ASSERT_TRUE(checked) << checked.error().message;
  ASSERT_THAT(*checked, SizeIs(1));
  EXPECT_THAT((*checked)[0].copies.columns, ElementsAre("race", "birth"));
  EXPECT_NEAR((*checked)[0].gain, 5.0 / 9, 1e-12) << "two coins of 1/3";
  EXPECT_THAT(to_text((*checked)[0]), HasSubstr("0.56 would be gained"));
  EXPECT_THAT(warnings, IsEmpty());
}

// What rows show stays; there is nothing that a refusal could save.
TEST_F(ColumnsApartCheck, OnlyWarnsWhereABuildGoesOn) {
  auto checked = check(true);
  ASSERT_TRUE(checked);
  EXPECT_THAT(*checked, SizeIs(1));
  EXPECT_THAT(warnings, ElementsAre(AllOf(HasSubstr("race, birth"), HasSubstr("newcomers"))));
}

TEST_F(ColumnsApartCheck, IsNoMatterOfSchemesWithoutCoinsByColumn) {
  for (const char* scheme : {"swap-exact", "cluster", "drop", "ldp"}) {
    auto checked = check(false, scheme);
    ASSERT_TRUE(checked) << scheme;
    EXPECT_THAT(*checked, IsEmpty()) << scheme;
  }
}

// Joined in part, copies have fewer coins.
TEST_F(ColumnsApartCheck, CountsCoinsNotColumns) {
  policy.together = {{"race", "pay"}};
  policy.apart = {{"race", "birth"}};
  auto checked = check();
  ASSERT_TRUE(checked) << checked.error().message;
  ASSERT_THAT(*checked, SizeIs(1));
  EXPECT_NEAR((*checked)[0].gain, 5.0 / 9, 1e-12);
  policy.apart = {};
  EXPECT_THAT(check().error().message,
              HasSubstr("together = [[\"race\", \"birth\", \"pay\"]] in the policy"));
}

}  // namespace
}  // namespace rankveil::api
