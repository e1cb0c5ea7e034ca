#include "rankveil/graphs/attack/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/graphs/generate.h"

namespace rankveil::attack {
namespace {

using graph::Technique;
using testing::HasSubstr;

std::shared_ptr<const graph::Graph> small() {
  return std::make_shared<const graph::Graph>(*graph::generate({.nodes = 400, .edges = 1'600}));
}

EvaluationPlan plan() {
  return {
      .contestants = {{"ca", {.technique = Technique::Ca}}, {"be", {.technique = Technique::Be}}},
      .ks = {3, 6},
      .lambda1s = {0.1, 0.4},
      .lambda2s = {0.2},
      .draws = 4};
}

TEST(Evaluate, HasARowForEveryPoint) {
  auto made = evaluate(small(), plan());
  ASSERT_TRUE(made) << made.error().message;
  // Two techniques, two ks; levels I (1), II (2), III (1), IV (2); two attacks.
  EXPECT_EQ(made->rows.size(), 2U * 2U * 6U * 2U);
  EXPECT_EQ(made->releases.size(), 4U);
  for (const EvaluationRow& row : made->rows) {
    EXPECT_LE(row.low, row.fu);
    EXPECT_GE(row.high, row.fu);
    EXPECT_GE(row.fu, 0);
    EXPECT_LE(row.fu, 1);
    EXPECT_EQ(row.lambda1 > 0, uses_lambda1(row.level));
    EXPECT_EQ(row.lambda2 > 0, uses_lambda2(row.level));
  }
}

TEST(Evaluate, DoesNotDependOnThreads) {
  auto one = plan(), many = plan();
  one.threads = 1;
  many.threads = 4;
  auto left = evaluate(small(), one), right = evaluate(small(), many);
  ASSERT_EQ(left->rows.size(), right->rows.size());
  for (std::size_t i = 0; i < left->rows.size(); ++i) {
    EXPECT_EQ(left->rows[i].fu, right->rows[i].fu);
  }
}

TEST(Evaluate, ShowsMleWithoutTheOwnLabelRuleOnRequest) {
  auto both = plan();
  both.any_label = true;
  both.levels = {LinkageLevel::I};
  both.ks = {5};
  auto made = evaluate(small(), both);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->rows.size(), 6U);
  EXPECT_EQ(made->rows[1].attack, "mle-any-label");
  EXPECT_NEAR(made->rows[1].fu, 0.2, 1e-12);  // sets / users
  EXPECT_GE(made->rows[0].fu, made->rows[1].fu);
}

TEST(Evaluate, FindsTheSameInAReleaseThatIsThereAlready) {
  auto made_here = plan();
  made_here.ks = {5};
  auto here = evaluate(small(), made_here);
  ASSERT_TRUE(here);
  auto ready = made_here;
  for (const Contestant& contestant : made_here.contestants) {
    auto options = contestant.options;
    options.k = 5;
    ready.ready.push_back({contestant.name, *graph::anonymize(small(), options)});
  }
  ready.contestants = {};
  auto there = evaluate(small(), ready);
  ASSERT_TRUE(there) << there.error().message;
  ASSERT_EQ(there->rows.size(), here->rows.size());
  for (std::size_t i = 0; i < here->rows.size(); ++i) {
    EXPECT_EQ(there->rows[i].technique, here->rows[i].technique);
    EXPECT_EQ(there->rows[i].fu, here->rows[i].fu);
  }
}

TEST(Evaluate, RefusesWhatMakesNoSense) {
  auto refusal = [](auto change) {
    auto wrong = plan();
    change(wrong);
    auto made = evaluate(small(), wrong);
    return made ? std::string() : made.error().message;
  };
  EXPECT_THAT(refusal([](auto& p) { p.lambda1s = {1}; }), HasSubstr("lambda1 is 1"));
  EXPECT_THAT(refusal([](auto& p) { p.lambda2s = {-0.5}; }), HasSubstr("lambda2 is -0.5"));
  EXPECT_THAT(refusal([](auto& p) { p.ks = {1}; }), HasSubstr("k is 1"));
  EXPECT_THAT(refusal([](auto& p) { p.ks = {3, 401}; }), HasSubstr("k is 401"));
  EXPECT_THAT(refusal([](auto& p) { p.draws = 0; }), HasSubstr("0 draws"));
  EXPECT_THAT(refusal([](auto& p) { p.levels = {}; }), HasSubstr("at least one"));
}

}  // namespace
}  // namespace rankveil::attack
