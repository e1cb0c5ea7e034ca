#include "rankveil/connect/columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "rankveil/base/file.h"

namespace rankveil::connect {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ColumnsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "rankveil_columns_test";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  Source file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return {.path = path(name)};
  }

 private:
  std::string folder_;
};

std::string refusal(const Result<Columns>& columns) {
  return columns ? "" : columns.error().message;
}

TEST_F(ColumnsTest, AreNumbersAndTextsInTheOrderAskedFor) {
  auto source = file("t.csv", "a,b,c\n1,x,5\n2.5,y,6\n,x,7\n");
  auto read = read_columns(source, {"c", "a"}, {"b"});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->rows, 3U);
  EXPECT_EQ(read->numbers[0].name, "c");
  EXPECT_THAT(read->numbers[0].values, ElementsAre(5, 6, 7));
  EXPECT_EQ(read->numbers[1].values[1], 2.5);
  EXPECT_TRUE(std::isnan(read->numbers[1].values[2]));
  EXPECT_THAT(read->texts[0].values, ElementsAre("x", "y"));
  EXPECT_THAT(read->texts[0].codes, ElementsAre(0U, 1U, 0U));
}

TEST_F(ColumnsTest, MayBeReadBothWays) {
  auto read = read_columns(file("t.csv", "a\n1\n01\n\n"), {"a"}, {"a"});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->numbers[0].values[0], read->numbers[0].values[1]);
  EXPECT_THAT(read->texts[0].values, ElementsAre("1", "01"));
}

TEST_F(ColumnsTest, SayNothingWhereTheSourceSaysNaN) {
  auto read = read_columns(file("t.csv", "a,b\nNaN,\nnan,x\n3,y\n"), {"a"}, {"b"});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(std::isnan(read->numbers[0].values[0]));
  EXPECT_TRUE(std::isnan(read->numbers[0].values[1]));
  EXPECT_THAT(read->texts[0].codes, ElementsAre(TextColumn::missing, 0U, 1U));
}

TEST_F(ColumnsTest, AreRefusedWithTheRowAndTheValue) {
  auto source = file("t.csv", "points,team\n1,x\n2,y\nmany,z\n");
  EXPECT_THAT(refusal(read_columns(source, {"points"}, {})), HasSubstr("\"many\" in row 3"));
  EXPECT_THAT(refusal(read_columns(source, {"point"}, {})), HasSubstr("did you mean points?"));
  EXPECT_THAT(refusal(read_columns(source, {}, {"salary"})),
              HasSubstr("no column \"salary\"; there are points, team"));
  EXPECT_THAT(refusal(read_columns(file("e.csv", "a,b\n"), {"a"}, {})), HasSubstr("no rows"));
  EXPECT_FALSE(read_columns({.path = path("nowhere.csv")}, {"a"}, {}));
}

TEST_F(ColumnsTest, OfInfiniteNumbersAreRefused) {
  EXPECT_THAT(refusal(read_columns({.sql = "SELECT 'infinity'::DOUBLE AS a"}, {"a"}, {})),
              HasSubstr("\"infinity\" in row 1"));
}

TEST_F(ColumnsTest, HaveNamesInOrder) {
  auto names = column_names(file("t.csv", "b,a,\"c d\"\n1,2,3\n"));
  ASSERT_TRUE(names) << names.error().message;
  EXPECT_THAT(*names, ElementsAre("b", "a", "c d"));
  EXPECT_FALSE(column_names({.path = path("nowhere.csv")}));
}

Sheet sample() {
  return {{{"group", true}, {"team, or city", false}, {"low", true}},
          {{"1", "Oslo, \"Norway\"", "2.5"}, {"2", "line\nbreak", ""}}};
}

TEST_F(ColumnsTest, OfASheetComeBackFromCsvAndParquet) {
  for (const char* name : {"s.csv", "s.parquet"}) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(write_sheet(sample(), path(name)));
    auto read = read_sheet(path(name));
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->columns.size(), 3U);
    EXPECT_EQ(read->columns[1].name, "team, or city");
    ASSERT_EQ(read->rows.size(), 2U);
    EXPECT_EQ(read->rows[0][1], "Oslo, \"Norway\"");
    EXPECT_EQ(read->rows[0][2], "2.5");
    EXPECT_EQ(read->rows[1][1], "line\nbreak");
    EXPECT_EQ(read->rows[1][2], "");
  }
}

// One that a table could not hold would keep all others from being looked at.
TEST_F(ColumnsTest, ThatRepeatHaveNoMoreValuesThanATableHolds) {
  auto repeating = columns_that_repeat(
      {.sql =
           "SELECT i // 2 AS visit, i // 4 AS patient, i AS id FROM range(140000) AS counted(i)"});
  ASSERT_TRUE(repeating) << repeating.error().message;
  EXPECT_THAT(*repeating, ElementsAre("patient"));
}

TEST_F(ColumnsTest, OfASheetAreNumbersInParquet) {
  ASSERT_TRUE(write_sheet(sample(), path("s.parquet")));
  auto read = read_columns({.path = path("s.parquet")}, {"low"}, {});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->numbers[0].values[0], 2.5);
  EXPECT_TRUE(std::isnan(read->numbers[0].values[1]));
}

TEST_F(ColumnsTest, OfASheetGoToNamesThatSayHow) {
  auto written = write_sheet(sample(), path("s.xls"));
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("must end in .csv or .parquet"));
  EXPECT_FALSE(std::filesystem::exists(path("s.xls")));
  EXPECT_FALSE(write_sheet(sample(), path("no/folder/s.csv")));
}

}  // namespace
}  // namespace rankveil::connect
