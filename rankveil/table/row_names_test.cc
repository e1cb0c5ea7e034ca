#include "rankveil/table/row_names.h"

#include <gtest/gtest.h>

namespace rankveil {
namespace {

TEST(RowNames, AreRowNumbersWhenNothingElseIsGiven) {
  RowNames names(RowNumbers{3});
  EXPECT_EQ(names.size(), 3U);
  EXPECT_EQ(names.text(RowId{2}), "2");
  EXPECT_EQ(RowNames().size(), 0U);
}

TEST(RowNames, MayBeAnyInteger) {
  RowNames names(IntegerNames{{7, -1, INT64_MIN, INT64_MAX}});
  EXPECT_EQ(names.size(), 4U);
  EXPECT_EQ(names.text(RowId{1}), "-1");
  EXPECT_EQ(names.text(RowId{2}), "-9223372036854775808");
  EXPECT_EQ(names.text(RowId{3}), "9223372036854775807");
}

TEST(RowNames, MayBeTextOfAnyLength) {
  RowNames names(TextNames{"annbobeve", {3, 3, 6, 9}});
  EXPECT_EQ(names.size(), 4U);
  EXPECT_EQ(names.text(RowId{0}), "ann");
  EXPECT_EQ(names.text(RowId{1}), "");
  EXPECT_EQ(names.text(RowId{3}), "eve");
}

}  // namespace
}  // namespace rankveil
