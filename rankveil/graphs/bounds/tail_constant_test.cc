#include "rankveil/graphs/bounds/tail_constant.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rankveil/graphs/bounds/lambert_w.h"

namespace rankveil::bound {
namespace {

TEST(LambertW, InvertsWTimesItsPower) {
  for (double x : {1e-12, 1e-3, 0.5, 1.0, 2.9, 3.1, 10.0, 1e4, 1e12, 1e100}) {
    double w = lambert_w(x);
    EXPECT_NEAR(w + std::log(w), std::log(x), 1e-12 * (1 + std::abs(std::log(x)))) << x;
  }
  EXPECT_EQ(lambert_w(0), 0);
}

TEST(TailConstant, HasThePublishedValues) {
  struct Vector {
    double n;
    double c;
  };
  for (const Vector& vector : {Vector{2, 0.998876823987}, Vector{10, 1.262619081092},
                               Vector{1000, 2.166857789602}, Vector{10000, 2.569890455021},
                               Vector{196591, 3.035565156242}, Vector{1000000, 3.268269915019}}) {
    EXPECT_NEAR(tail_constant(1 / std::sqrt(vector.n)), vector.c, 1e-12) << vector.n;
  }
}

TEST(TailConstant, ClosedFormAndBisectionAgree) {
  for (double delta1 = 1e-9; delta1 < 0.4; delta1 *= 1.7) {
    EXPECT_NEAR(tail_constant(delta1), tail_constant_by_bisection(delta1), 1e-12) << delta1;
  }
}

TEST(CrowdConstant, PassesTheTailOnlyForLargeK) {
  struct Vector {
    double n;
    double k;
  };
  for (const Vector& vector :
       {Vector{1000, 46.4527}, Vector{10000, 65.5434}, Vector{196591, 91.6466}}) {
    double tail = tail_constant(1 / std::sqrt(vector.n));
    EXPECT_LT(crowd_constant(vector.k - 1e-3, 1, 0.1), tail);
    EXPECT_GT(crowd_constant(vector.k + 1e-3, 1, 0.1), tail);
  }
}

}  // namespace
}  // namespace rankveil::bound
