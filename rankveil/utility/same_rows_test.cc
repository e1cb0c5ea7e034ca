#include "rankveil/utility/same_rows.h"

#include <gtest/gtest.h>

namespace rankveil::utility {
namespace {

// Rows of these names; what else they are does not matter here.
Index index_of(const std::vector<std::int64_t>& names) {
  Schema schema;
  schema.attributes.push_back({"city", Visibility::Public, 1, *Domain::of({"a", "b"})});
  std::vector<ValueId> values(names.size(), ValueId{0});
  Table table(schema, {Column(2, values)}, RowNames(IntegerNames{names}));
  return Index::build(public_part(table), unprotected_profiles(table), {});
}

std::string refusal(const Index& truth, const Index& served) {
  auto same = SameRows::find(truth, served);
  return same ? "" : same.error().message;
}

TEST(SameRows, AreAlignedWhereNamesAre) {
  auto same = SameRows::find(index_of({4, 5, 6}), index_of({4, 5, 6}));
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->aligned());
  EXPECT_EQ(same->size(), 3U);
  EXPECT_EQ(same->served_of(RowId{2}), RowId{2});
}

TEST(SameRows, AreFoundInAnyOrderWhereSomeWereErased) {
  Index truth = index_of({4, 5, 6, 7}).erase(std::vector{RowId{1}});
  Index served = index_of({7, 4, 5, 6}).erase(std::vector{RowId{2}});
  auto same = SameRows::find(truth, served);
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_FALSE(same->aligned());
  EXPECT_EQ(same->size(), 3U);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  same->for_each([&](std::uint32_t t, std::uint32_t s) { pairs.emplace_back(t, s); });
  decltype(pairs) expected = {{0, 1}, {1, 2}, {2, 0}};
  EXPECT_EQ(pairs, expected);
  EXPECT_EQ(same->truth_of(RowId{0}), RowId{2});
}

TEST(SameRows, AreRefusedWithHowManyDiffer) {
  EXPECT_EQ(refusal(index_of({4, 5, 6, 7}), index_of({4, 5, 8})),
            "the table and the index hold different rows: 2 rows in the table only, 1 in the "
            "index only; measure with the table that the index was made of");
  EXPECT_NE(refusal(index_of({4}), index_of({})), "");
  EXPECT_NE(refusal(index_of({}), index_of({4})), "");
}

TEST(SameRows, AreRefusedWhereANameIsShared) {
  EXPECT_EQ(refusal(index_of({4, 5}), index_of({5, 5})).substr(0, 39),
            "two rows of the index are called \"5\", s");
  EXPECT_EQ(refusal(index_of({5, 5}), index_of({4, 5})).substr(0, 39),
            "two rows of the table are called \"5\", s");
}

}  // namespace
}  // namespace rankveil::utility
