#include "rankveil/promise/promise.h"

#include <gtest/gtest.h>

namespace rankveil {
namespace {

TEST(AdversaryLevel, IsFoundByItsName) {
  for (AdversaryLevel level : adversary_levels()) {
    EXPECT_EQ(level_from_name(level_name(level)), level);
    EXPECT_FALSE(level_meaning(level).empty());
  }
  EXPECT_EQ(level_name(AdversaryLevel::Informed), "informed");
  EXPECT_EQ(level_from_name("almighty"), std::nullopt);
}

TEST(Promise, SaysWhatItIs) {
  EXPECT_EQ((Promise{PromiseKind::GainAtMost, 1.0 / 3}).text(), "a gain of at most 0.333");
  EXPECT_EQ((Promise{PromiseKind::GainAtMost, 0.5, true}).text(),
            "a gain of at most 0.5 for every value but those declared not sensitive");
  EXPECT_EQ((Promise{PromiseKind::LikelihoodRatio, 2}).text(), "a likelihood ratio of at most e^2");
  EXPECT_EQ(Promise{}.text(), "nothing");
}

}  // namespace
}  // namespace rankveil
