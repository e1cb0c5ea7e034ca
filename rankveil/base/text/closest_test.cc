#include "rankveil/base/text/closest.h"

#include <gtest/gtest.h>

#include <vector>

namespace rankveil {
namespace {

const std::vector<std::string> names = {"city", "religion", "orientation", "age"};

TEST(Closest, FindsChangedMissingExtraAndSwappedLetters) {
  EXPECT_EQ(closest("religiom", names), "religion");
  EXPECT_EQ(closest("relgion", names), "religion");
  EXPECT_EQ(closest("religiion", names), "religion");
  EXPECT_EQ(closest("ctiy", names), "city");
}

TEST(Closest, IgnoresCapitals) { EXPECT_EQ(closest("RELIGION", names), "religion"); }

TEST(Closest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(closest("salary", names), std::nullopt);
  EXPECT_EQ(closest("", names), std::nullopt);
  EXPECT_EQ(closest("x", {}), std::nullopt);
  EXPECT_EQ(closest(std::string(10'000, 'c'), names), std::nullopt);
}

TEST(Closest, KeepsTheFirstOfEquallyNearNames) {
  EXPECT_EQ(closest("bat", std::vector<std::string>{"cat", "hat"}), "cat");
}

TEST(Closest, BecomesASentence) {
  std::vector<std::string> pets = {"cat", "dog"};
  EXPECT_EQ(did_you_mean("cta", pets, "see --help"), "did you mean cat?");
  EXPECT_EQ(did_you_mean("salary", pets, "see --help"), "see --help");
  EXPECT_EQ(near_and_all("cta", pets), "did you mean cat? there are cat, dog");
  EXPECT_EQ(near_and_all("salary", pets), "there are cat, dog");
}

}  // namespace
}  // namespace rankveil
