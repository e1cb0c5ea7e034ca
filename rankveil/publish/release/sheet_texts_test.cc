#include "rankveil/publish/release/sheet_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/base/random.h"

namespace rankveil::publish {
namespace {

using testing::ElementsAre;
using testing::Pair;

connect::TextColumn column_of(std::vector<std::string> values) {
  return {.name = "c", .values = std::move(values), .codes = {}};
}

TEST(SheetTexts, ReadWhatGroupsSayOfQuasiIdentifiers) {
  auto ages = column_of({"18", "34"});
  auto range = generalised_from_text(ages, "[18, 34.5]", false);
  EXPECT_EQ(range.range, (Range{18, 34.5}));
  EXPECT_FALSE(range.missing);
  EXPECT_TRUE(generalised_from_text(ages, "[18, 34] or (missing)", false).missing);
  auto teams = column_of({"BOS", "NYK"});
  EXPECT_THAT(generalised_from_text(teams, "BOS, NYK or (missing)", false).values,
              ElementsAre("BOS", "NYK"));
  EXPECT_EQ(generalised_from_text(teams, "East, all of it", true).label, "East, all of it");
  EXPECT_EQ(generalised_from_text(teams, "East", false).label, "East");
  EXPECT_TRUE(generalised_from_text(teams, "(missing)", false).missing);
  EXPECT_THAT(generalised_from_text(teams, "BOS, LAL", false).values, ElementsAre("BOS", "LAL"));
}

TEST(SheetTexts, ReadWhatGroupsShowOfSensitiveColumns) {
  auto column = column_of({"a", "b"});
  auto shown = disclosure_from_text(column, "a: 3, b: 2, (missing): 4");
  EXPECT_THAT(shown.values, ElementsAre(Pair("a", 3U), Pair("b", 2U)));
  EXPECT_EQ(shown.missing, 4U);
  auto numbers = disclosure_from_text(column_of({"10", "90"}), "[10, 90], (missing): 1");
  EXPECT_EQ(numbers.range, (Range{10, 90}));
  EXPECT_EQ(numbers.missing, 1U);
  EXPECT_EQ(disclosure_from_text(column, "withheld: 1 value, 2 needed").withheld,
            "1 value, 2 needed");
}

TEST(SheetTexts, TakeTextsApartAtRealValues) {
  auto column =
      column_of({"Oslo, Norway", "Oslo", "Norway", "a: 7", "x or (missing)", "(missing)"});
  EXPECT_THAT(generalised_from_text(column, "Oslo, Norway", false).values,
              ElementsAre("Oslo, Norway"));
  EXPECT_THAT(generalised_from_text(column, "Norway, Oslo", false).values,
              ElementsAre("Norway", "Oslo"));
  EXPECT_THAT(generalised_from_text(column, "Oslo, x or (missing)", false).values,
              ElementsAre("Oslo", "x or (missing)"));
  EXPECT_THAT(disclosure_from_text(column, "a: 7: 2, Oslo, Norway: 1, (missing): 5").values,
              ElementsAre(Pair("a: 7", 2U), Pair("Oslo, Norway", 1U), Pair("(missing)", 5U)));
}

TEST(SheetTexts, TellAValueNoneFromAMissingOne) {
  auto column = column_of({"none", "phd"});
  Disclosure sensitive{.column = "c", .values = {{"none", 14}, {"phd", 3}}, .missing = 8};
  auto shown = disclosure_from_text(column, sensitive.text());
  EXPECT_EQ(shown.values, sensitive.values) << sensitive.text();
  EXPECT_EQ(shown.missing, 8U);
  Generalised quasi{.column = "c", .values = {"none", "phd"}, .missing = true};
  auto read = generalised_from_text(column, quasi.text(), false);
  EXPECT_EQ(read.values, quasi.values) << quasi.text();
  EXPECT_TRUE(read.missing);
}

TEST(SheetTexts, KnowSensitiveCells) {
  EXPECT_TRUE(looks_sensitive("withheld: 1 value"));
  EXPECT_TRUE(looks_sensitive("a: 3, b: 2"));
  EXPECT_FALSE(looks_sensitive("[10, 90]"));
  EXPECT_FALSE(looks_sensitive("BOS, NYK"));
  EXPECT_FALSE(looks_sensitive(""));
}

// Whatever is written is read back, when values hold neither commas nor colons nor "(missing)".
TEST(SheetTexts, ReadBackWhatIsWritten) {
  Rng rng(5);
  auto column = column_of({"a", "b c", "d[", "e]", "7"});
  for (int round = 0; round < 500; ++round) {
    Generalised quasi{.column = "c"};
    Disclosure sensitive{.column = "c"};
    for (const std::string& value : column.values) {
      if (rng.below(2) == 0) continue;
      quasi.values.push_back(value);
      sensitive.values.emplace_back(value, 1 + rng.below(9));
    }
    quasi.missing = quasi.values.empty() || rng.below(2) == 0;
    sensitive.missing = sensitive.values.empty() ? 1 : rng.below(3);
    auto read = generalised_from_text(column, quasi.text(), false);
    EXPECT_EQ(read.values, quasi.values) << quasi.text();
    EXPECT_EQ(read.missing, quasi.missing) << quasi.text();
    auto shown = disclosure_from_text(column, sensitive.text());
    EXPECT_EQ(shown.values, sensitive.values) << sensitive.text();
    EXPECT_EQ(shown.missing, sensitive.missing) << sensitive.text();
  }
}

TEST(SheetTexts, WithAHierarchyEveryTextIsALabel) {
  connect::TextColumn age{"age", {"18", "34"}, {0, 1}};
  auto labelled = generalised_from_text(age, "[18, 34]", /*has_hierarchy=*/true);
  EXPECT_EQ(labelled.label, "[18, 34]");
  EXPECT_FALSE(labelled.range);
  auto plain = generalised_from_text(age, "[18, 34]", /*has_hierarchy=*/false);
  EXPECT_EQ(plain.range, (Range{18, 34}));
  EXPECT_FALSE(plain.label);
}

TEST(SheetTexts, ARangeMayBeOfBothKindsOfColumns) {
  EXPECT_TRUE(looks_like_range("[18, 34]"));
  EXPECT_FALSE(looks_sensitive("[18, 34]"));
  for (const char* text : {"", "18", "[a, b]", "F: 2, M: 1"}) EXPECT_FALSE(looks_like_range(text));
}

}  // namespace
}  // namespace rankveil::publish
