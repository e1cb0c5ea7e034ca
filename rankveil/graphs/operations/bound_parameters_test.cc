#include "rankveil/graphs/operations/bound_parameters.h"

#include <gtest/gtest.h>

#include "rankveil/graphs/operations/bound.h"

namespace rankveil::api {
namespace {

using bound::Mode;

BoundRequest coins(std::uint32_t theorem, Mode mode) {
  BoundRequest request;
  request.theorem = theorem;
  request.mode = mode;
  request.setting.n = 60;
  request.setting.p = 0.3;
  if (theorem >= 4) request.setting.lambda2 = 0.2;
  if (theorem == 1) request.setting.terms.epsilon = 3;
  if (theorem == 3 || theorem == 5) request.setting.lambda1 = 0.1;
  // So many that the crowd decides the printed epsilon, and not the tail.
  request.setting.terms.k = theorem == 1 ? 2 : 400;
  return request;
}

// Somewhere else than in coins().
void move(BoundRequest& request, const std::string& name) {
  BoundSetting& setting = request.setting;
  if (name == "k") setting.terms.k += 5;
  if (name == "s") setting.terms.s = 2;
  if (name == "delta1") setting.terms.delta1 = 0.001;
  if (name == "eps1") setting.terms.eps1 = 0.7;
  if (name == "den") setting.terms.denominator_outside = true;
  if (name == "half-lines") setting.terms.half_lines = true;
  if (name == "tail") setting.terms.by_tail = true;
  if (name == "lambda1") setting.lambda1 = 0.4;
  if (name == "neighbourhood") setting.neighbourhood = 7;
  if (name == "sigma") setting.sigma = 9;
}

std::string numbers_of(const BoundRequest& request) {
  auto result = bound(request);
  if (!result) return result.error().message;
  const bound::Guarantee& found = *result->rows.front().bound;
  return testing::PrintToString(std::pair(found.epsilon, found.delta));
}

TEST(BoundParameters, AreReadWhereTheyMoveTheBoundAndNowhereElse) {
  for (std::uint32_t theorem = 1; theorem <= 5; ++theorem) {
    for (Mode mode : {Mode::Paper, Mode::Sound}) {
      for (bool with_epsilon : {false, true}) {
        for (const char* name : {"k", "s", "delta1", "eps1", "den", "half-lines", "tail", "lambda1",
                                 "neighbourhood", "sigma"}) {
          BoundRequest before = coins(theorem, mode);
          if (with_epsilon && theorem != 1) before.setting.terms.epsilon = 0.1;
          BoundRequest after = before;
          move(after, name);
          bool moved = numbers_of(before) != numbers_of(after);
          EXPECT_EQ(reads(before, name), moved)
              << name << ", theorem " << theorem << ", " << bound::mode_name(mode)
              << (with_epsilon ? ", epsilon given" : "");
        }
      }
    }
  }
}

TEST(BoundParameters, WithoutEffectAreTold) {
  BoundRequest request = coins(4, Mode::Sound);
  request.named = {"k", "lambda2"};
  EXPECT_EQ(bound(request)->notes.front(),
            "--k has no effect: theorem 4 in sound mode does not read it");
  request.named = {"k", "eps1", "lambda2"};
  EXPECT_EQ(unread_note(request),
            "--k, --eps1 have no effect: theorem 4 in sound mode does not read them");
  request.mode = Mode::Paper;
  EXPECT_EQ(unread_note(request), "");
  request.setting.terms.epsilon = 1;
  EXPECT_EQ(
      unread_note(request),
      "--k, --eps1 have no effect: theorem 4 in paper mode with a given epsilon does not read "
      "them");
}

TEST(BoundParameters, ThatAreNotReadMakeNoCurve) {
  BoundRequest request = coins(4, Mode::Sound);
  request.sweep = Sweep{"k", 2, 10, 2};
  auto refused = bound(request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "a sweep over k would be flat: theorem 4 in sound mode does not read it here");
  request.mode = Mode::Paper;
  EXPECT_TRUE(bound(request));
}

}  // namespace
}  // namespace rankveil::api
