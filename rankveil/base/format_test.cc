#include "rankveil/base/format.h"

#include <gtest/gtest.h>

#include <vector>

namespace rankveil {
namespace {

TEST(Format, GroupsThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(Format, PercentNeverRoundsToNoneOrAll) {
  EXPECT_EQ(percent(0, 10), "0%");
  EXPECT_EQ(percent(10, 10), "100%");
  EXPECT_EQ(percent(1, 100'000), "<0.1%");
  EXPECT_EQ(percent(99'999, 100'000), ">99.9%");
  EXPECT_EQ(percent(64, 1000), "6.4%");
  EXPECT_EQ(percent(3, 0), "0%");
}

TEST(Format, BytesAndSecondsChooseTheirUnit) {
  EXPECT_EQ(format_bytes(1), "1 byte");
  EXPECT_EQ(format_bytes(999), "999 bytes");
  EXPECT_EQ(format_bytes(1000), "1.0 kB");
  EXPECT_EQ(format_bytes(999'999), "1.0 MB");
  EXPECT_EQ(format_bytes(5'000'000'000), "5.0 GB");
  EXPECT_EQ(format_seconds(0.000123), "0.12 ms");
  EXPECT_EQ(format_seconds(0.0345), "34 ms");
  EXPECT_EQ(format_seconds(1.52), "1.5 s");
  EXPECT_EQ(format_seconds(135), "2 min 15 s");
}

TEST(Format, CountsNouns) {
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(2000, "row"), "2,000 rows");
}

TEST(Format, ListsNamesAndCountsTheRest) {
  std::vector<std::string> names = {"a", "b", "c"};
  EXPECT_EQ(listed(names), "a, b, c");
  EXPECT_EQ(listed(names, 3), "a, b, c");
  EXPECT_EQ(listed(names, 2), "a, b, ... (3 in all)");
  EXPECT_EQ(listed({}), "");
}

}  // namespace
}  // namespace rankveil
