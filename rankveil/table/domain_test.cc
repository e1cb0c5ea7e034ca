#include "rankveil/table/domain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Domain, KeepsTheOrderGivenAndFindsEveryValue) {
  auto domain = Domain::of({"none", "christian", "", "other"});
  ASSERT_TRUE(domain);
  EXPECT_THAT(domain->values(), ElementsAre("none", "christian", "", "other"));
  for (std::uint32_t i = 0; i < domain->size(); ++i) {
    const ValueId value{static_cast<std::uint16_t>(i)};
    EXPECT_EQ(domain->find(domain->text(value)), value);
  }
  EXPECT_EQ(domain->find("None"), std::nullopt);
}

TEST(Domain, RefusesARepeatedValue) {
  auto domain = Domain::of({"a", "b", "a"});
  ASSERT_FALSE(domain);
  EXPECT_THAT(domain.error().message, HasSubstr("\"a\""));
}

TEST(Domain, HoldsAsManyValuesAsTwoBytesAllowAndNoMore) {
  std::vector<std::string> values;
  for (std::uint32_t i = 0; i < largest_domain; ++i) values.push_back(std::to_string(i));
  auto largest = Domain::of(values);
  ASSERT_TRUE(largest);
  EXPECT_EQ(largest->find("65534"), ValueId{65534});
  values.push_back("one more");
  EXPECT_FALSE(Domain::of(values));
}

TEST(Domain, SurvivesBeingCopiedAndMoved) {
  auto original = Domain::of({"a", "b"});
  Domain copy = *original;
  Domain moved = std::move(*original);
  EXPECT_EQ(copy, moved);
  EXPECT_EQ(copy.find("b"), ValueId{1});
  EXPECT_EQ(moved.find("b"), ValueId{1});
}

TEST(NaturalOrder, PutsNumbersBySizeBeforeTextByBytes) {
  std::vector<std::string> values = {"b", "10", "9", "-1.5", "B", "1e3", "", "nan", "9.0"};
  std::sort(values.begin(), values.end(), natural_order);
  EXPECT_THAT(values, ElementsAre("-1.5", "9", "9.0", "10", "1e3", "", "B", "b", "nan"));
}

TEST(NaturalOrder, IsAStrictOrder) {
  std::vector<std::string> values = {"1", "1.0", "01", "a", "", "inf", "-inf", "nan", "1a", "0x1"};
  for (const auto& a : values) {
    EXPECT_FALSE(natural_order(a, a)) << a;
    for (const auto& b : values) {
      EXPECT_EQ(natural_order(a, b) || natural_order(b, a), a != b) << a << " " << b;
      for (const auto& c : values) {
        if (natural_order(a, b) && natural_order(b, c)) {
          EXPECT_TRUE(natural_order(a, c)) << a << " " << b << " " << c;
        }
      }
    }
  }
}

}  // namespace
}  // namespace rankveil
