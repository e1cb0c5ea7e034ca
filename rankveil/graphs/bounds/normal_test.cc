#include "rankveil/graphs/bounds/normal.h"

#include <gtest/gtest.h>

namespace rankveil::bound {
namespace {

TEST(Normal, TailAndInverseUndoEachOther) {
  for (double x : {-5.0, -1.0, 0.0, 0.3, 2.0, 6.0, 20.0}) {
    EXPECT_NEAR(normal_tail_inverse(normal_tail(x)), x, 1e-6) << x;
  }
  EXPECT_NEAR(normal_tail_inverse(0.025), 1.959963984540054, 1e-12);
}

TEST(ShiftedNormal, HasThePublishedValues) {
  EXPECT_NEAR(shifted_normal_delta(0.5, 0.2), 5.12536083158e-4, 1e-14);
  EXPECT_NEAR(shifted_normal_delta(1, 0.5), 6.82959498311e-3, 1e-13);
  EXPECT_NEAR(shifted_normal_epsilon(1e-5, 0.2), 0.725521750858, 1e-11);
  EXPECT_NEAR(shifted_normal_epsilon(0.01, 1), 2.3177890403, 1e-9);
}

TEST(ShiftedNormal, DeltaFallsWithEpsilonAndStaysFinite) {
  double before = 1;
  for (double epsilon = 0; epsilon < 700; epsilon += 0.5) {
    double delta = shifted_normal_delta(epsilon, 3);
    EXPECT_GE(delta, -1e-15);
    EXPECT_LE(delta, before);
    before = delta;
  }
}

}  // namespace
}  // namespace rankveil::bound
