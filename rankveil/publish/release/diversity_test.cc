#include "rankveil/publish/release/diversity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "rankveil/publish/release/describe.h"
#include "rankveil/publish/release/hierarchy.h"

namespace rankveil::publish {
namespace {

connect::TextColumn column_of(const std::vector<std::string>& values,
                              std::vector<std::uint32_t> codes) {
  return {.name = "pay", .values = values, .codes = std::move(codes)};
}

// The salaries of the t-closeness paper (Li et al. 2007): nine of them, 3k to 11k.
const connect::TextColumn salaries =
    column_of({"3", "4", "5", "6", "7", "8", "9", "10", "11"}, {0, 1, 2, 3, 4, 5, 6, 7, 8});

TEST(Diversity, DistancesAreThoseOfThePaper) {
  SensitiveColumn column(salaries);
  EXPECT_NEAR(column.distance(std::vector<Row>{0, 1, 2}), 0.375, 1e-12);  // 3k, 4k, 5k
  EXPECT_NEAR(column.distance(std::vector<Row>{3, 5, 8}), 0.167, 0.001);  // 6k, 8k, 11k
}

TEST(Diversity, CategoriesAreEquallyFarApart) {
  auto diseases = column_of({"a", "b"}, {0, 0, 0, 1});
  SensitiveColumn column(diseases);
  EXPECT_NEAR(column.distance(std::vector<Row>{0, 1}), 0.25, 1e-12);
  EXPECT_NEAR(column.distance(std::vector<Row>{3}), 0.75, 1e-12);
}

TEST(Diversity, ReasonsNameWhatIsLacking) {
  auto values = column_of({"a", "b", "c"}, {0, 0, 0, 1, 2, 1});
  SensitiveColumn column(values);
  std::vector<Row> rows = {0, 1, 2, 3};
  EXPECT_FALSE(column.reason_to_withhold(rows, {.distinct = 2}));
  EXPECT_EQ(*column.reason_to_withhold(rows, {.distinct = 3}),
            "2 different values, and 3 are needed");
  double l = std::exp(0.75 * std::log(4 / 3.0) + 0.25 * std::log(4.0));
  EXPECT_FALSE(column.reason_to_withhold(rows, {.entropy = l - 1e-6}));
  EXPECT_EQ(*column.reason_to_withhold(rows, {.entropy = 2}),
            "its entropy is that of 1.75 equally likely values, and 2 are needed");
  EXPECT_EQ(*column.reason_to_withhold(rows, {.closeness = 0.1}),
            "its values are 0.250 away from those of the table, and 0.1 is the most");
}

TEST(Diversity, MissingIsAValueOfItsOwn) {
  auto values = column_of({"a"}, {0, connect::TextColumn::missing});
  EXPECT_FALSE(SensitiveColumn(values).reason_to_withhold(std::vector<Row>{0, 1}, {.distinct = 2}));
}

TEST(Diversity, DemandsThatAskForNothingAreRefused) {
  EXPECT_FALSE(check_diversity({.distinct = 1}).ok());
  EXPECT_FALSE(check_diversity({.entropy = 1}).ok());
  EXPECT_FALSE(check_diversity({.closeness = 1}).ok());
  EXPECT_FALSE(check_diversity({.closeness = std::nan("")}).ok());
  EXPECT_TRUE(check_diversity({.distinct = 2, .entropy = 1.5, .closeness = 0.2}).ok());
}

TEST(SensitiveColumns, TogetherAreOneColumnOfCombinations) {
  constexpr auto missing = connect::TextColumn::missing;
  auto left = column_of({"a", "b"}, {0, 0, 1, missing, 0});
  auto right = column_of({"1", "2"}, {0, 1, 0, 0, 0});
  const connect::TextColumn* both[] = {&left, &right};
  auto together = combined(both);
  EXPECT_EQ(together.codes, (std::vector<std::uint32_t>{0, 1, 2, 3, 0}));
  EXPECT_EQ(together.values.size(), 4U);
  EXPECT_TRUE(numbers_of(together).empty());
}

// Each column has its table's values half and half; together the group has two of four
// combinations.
TEST(SensitiveColumns, CloseOneByOneMayBeFarTogether) {
  auto left = column_of({"a", "b"}, {0, 1, 0, 1, 0, 1, 0, 1});
  auto right = column_of({"x", "y"}, {0, 1, 0, 1, 1, 0, 1, 0});
  const std::vector<Row> rows = {0, 1, 2, 3};
  EXPECT_NEAR(SensitiveColumn(left).distance(rows), 0, 1e-12);
  EXPECT_NEAR(SensitiveColumn(right).distance(rows), 0, 1e-12);
  const connect::TextColumn* both[] = {&left, &right};
  auto together = combined(both);
  EXPECT_NEAR(SensitiveColumn(together).distance(rows), 0.5, 1e-12);
  EXPECT_THAT(*SensitiveColumn(together).reason_to_withhold(rows, {.closeness = 0.4}),
              testing::HasSubstr("0.500 away"));
}

constexpr const char* teams =
    "Boston,Atlantic,East,*\n\"New York\",Atlantic,East,*\nChicago,Central,East,*\r\n"
    "Dallas,Southwest,West,*\n";

TEST(Hierarchy, FindsTheNarrowestCommonLabel) {
  auto tree = Hierarchy::parse(teams, "teams.csv");
  ASSERT_TRUE(tree) << tree.error().message;
  using V = std::vector<std::string>;
  EXPECT_EQ(tree->common(V{"Boston"}), "Boston");
  EXPECT_EQ(tree->common(V{"Boston", "New York"}), "Atlantic");
  EXPECT_EQ(tree->common(V{"Boston", "Chicago"}), "East");
  EXPECT_EQ(tree->common(V{"Boston", "Dallas"}), "*");
  EXPECT_TRUE(tree->is_below("Chicago", "East"));
  EXPECT_FALSE(tree->is_below("Dallas", "East"));
  EXPECT_TRUE(tree->is_below("Dallas", "*"));
}

TEST(Hierarchy, SaysWhatIsWrong) {
  auto says = [](const char* text) {
    auto tree = Hierarchy::parse(text, "t.csv");
    return tree ? "" : tree.error().message;
  };
  EXPECT_EQ(says(""), "t.csv has no lines");
  EXPECT_EQ(says("a\n"), "t.csv, line 1: a value and what it belongs to are needed");
  EXPECT_EQ(says("a,x,*\nb,x\n"), "t.csv, line 2: there are 2 fields, and 3 in the first line");
  EXPECT_EQ(says("a,x\na,x\n"), "t.csv, line 2: \"a\" has a line already");
  EXPECT_EQ(says("a,x,*\nb,x,y\n"),
            "t.csv, line 2: \"x\" belongs to \"y\", and to \"*\" in an earlier line");
}

TEST(Surroundings, AreCheckedBeforeAnythingIsPublished) {
  auto team = column_of({"Boston", "Paris"}, {0, 1});
  auto says = [](const Surroundings& surroundings) {
    auto checked = check_surroundings(surroundings);
    return checked ? std::string() : checked.error().message;
  };
  Surroundings with_tree{.quasi = {&team}};
  with_tree.hierarchies.emplace("pay", *Hierarchy::parse(teams, "teams.csv"));
  EXPECT_EQ(says(with_tree), "teams.csv has no line for \"Paris\", a value of pay; add one");
  EXPECT_EQ(says({.quasi = {&team}, .sensitive = {&team}, .diversity = {.distinct = 2}}),
            "pay cannot be both a quasi-identifier and sensitive");
  EXPECT_EQ(says({.sensitive = {&team}}),
            "sensitive columns need a test: --l-diversity, --entropy-l-diversity or --t-closeness");
  EXPECT_EQ(says({.diversity = {.distinct = 2}}),
            "a test of diversity is given and no column to test; name one with --sensitive");
}

}  // namespace
}  // namespace rankveil::publish
