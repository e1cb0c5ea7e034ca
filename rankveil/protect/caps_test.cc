#include "rankveil/protect/caps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rankveil/protect/scheme_options.h"

namespace rankveil {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

TEST(Caps, AreThoseOfTheStudy) {
  auto near = [](double value) { return DoubleNear(value, 1e-12); };
  EXPECT_THAT(caps_of({.6, .3, .1}, 2, 1), ElementsAre(near(.6), near(.5), near(.5)));
  EXPECT_THAT(caps_of({.9, .1}, 2, 2), ElementsAre(near(.95), near(.5)));
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(caps_of({.7, .2, .1}, 2, infinity), ElementsAre(1, .5, .5));
}

TEST(Caps, LeaveAGainOfAtMostOneInL) {
  for (std::uint32_t l = 2; l <= 6; ++l) {
    Demand demand{.l = l};
    for (double share = 0; share < 1; share += 1.0 / 64) {
      double cap = cap_of(share, l, gamma_of(demand));
      EXPECT_GE(cap, share);
      EXPECT_LE((cap - share) / (1 - share), 1.0 / l + 1e-12);
    }
  }
}

TEST(Caps, AreOneForValuesThatAreSparedAndAsBeforeForOthers) {
  EXPECT_EQ(caps_of({.7, .2, .1}, 3, 1.5, {0, 0, 0}), caps_of({.7, .2, .1}, 3, 1.5));
  auto caps = caps_of({.7, .2, .1}, 3, 1.5, {1, 0, 1});
  EXPECT_THAT(caps, ElementsAre(1, cap_of(.2, 3, 1.5), 1));
}

TEST(Caps, TakeAThirdForAThird) {
  EXPECT_EQ(cap_of(7.0 / 21, 3, 1.5), 1.0 / 3);
  EXPECT_EQ(cap_of(1 - 2.0 / 3, 3, 1.5), 1.0 / 3);
}

TEST(Caps, RefuseGammaBelowOne) {
  EXPECT_TRUE(check_scheme_options({.gamma = 0}));
  EXPECT_TRUE(check_scheme_options({.gamma = 1}));
  EXPECT_TRUE(check_scheme_options({.gamma = std::numeric_limits<double>::infinity()}));
  EXPECT_FALSE(check_scheme_options({.gamma = 0.9}));
  EXPECT_FALSE(check_scheme_options({.gamma = -2}));
  EXPECT_FALSE(check_scheme_options({.gamma = std::nan("")}));
}

}  // namespace
}  // namespace rankveil
