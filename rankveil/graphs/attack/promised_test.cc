#include "rankveil/graphs/attack/promised.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/graphs/bounds/friend_lists.h"
#include "rankveil/graphs/bounds/identification.h"
#include "rankveil/graphs/generate.h"

namespace rankveil::attack {
namespace {

using bound::Mode;
using graph::Technique;

std::shared_ptr<const graph::Graph> people(std::uint32_t nodes) {
  return std::make_shared<const graph::Graph>(
      *graph::generate({.nodes = nodes, .edges = 8ULL * nodes}));
}

// Random sets of six.
Evaluation evaluated(const std::shared_ptr<const graph::Graph>& graph,
                     std::vector<LinkageLevel> levels, double lambda1 = 0.2, double lambda2 = 0.1) {
  EvaluationPlan plan;
  plan.levels = std::move(levels);
  plan.lambda1s = {lambda1};
  plan.lambda2s = {lambda2};
  plan.contestants = {{"random", {.technique = Technique::Random}}};
  plan.draws = 4;
  auto made = evaluate(graph, plan);
  EXPECT_TRUE(made) << made.error().message;
  return made ? std::move(*made) : Evaluation{};
}

TEST(Promises, EveryLevelHasItsTheorem) {
  EXPECT_EQ(theorem_of(LinkageLevel::I), 2U);
  EXPECT_EQ(theorem_of(LinkageLevel::II), 3U);
  EXPECT_EQ(theorem_of(LinkageLevel::III), 4U);
  EXPECT_EQ(theorem_of(LinkageLevel::IV), 5U);
  EXPECT_EQ(theorem_of(LinkageLevel::Self), 0U);
  auto graph = people(300);
  EXPECT_FALSE(Promises(*graph).at({LinkageLevel::Self}, 6, {6, 6}, Mode::Sound));
}

TEST(Promises, AreTheTheoremsBoundsOverTheUsersThatAreUnknown) {
  auto graph = people(2000);
  const Promises promises(*graph);
  const auto crowd = bound::crowd_of(*graph);
  bound::Terms terms;
  terms.k = 6;
  auto sound = bound::independent_bound(bound::worst_sums(crowd, 0.3), terms, Mode::Sound);
  ASSERT_TRUE(sound);
  auto promised = promises.at({LinkageLevel::III, 0, 0.3}, 6, {6, 9}, Mode::Sound);
  ASSERT_TRUE(promised);
  EXPECT_DOUBLE_EQ(promised->delta, sound->delta);
  EXPECT_DOUBLE_EQ(promised->rate,
                   0.3 + 0.7 * bound::identification_bound(sound->epsilon, sound->delta, 6));
  terms.s = 3;  // sets have 6 to 9 members
  auto paper = bound::independent_bound(bound::expected_sums(crowd, 0.3), terms, Mode::Paper);
  ASSERT_TRUE(paper);
  promised = promises.at({LinkageLevel::III, 0, 0.3}, 6, {6, 9}, Mode::Paper);
  ASSERT_TRUE(promised);
  EXPECT_DOUBLE_EQ(promised->epsilon, paper->epsilon);
  EXPECT_DOUBLE_EQ(promised->delta, paper->delta);
}

TEST(Promises, EndWhereNobodyIsUncertain) {
  // A star: everybody but one has a single friend.
  std::vector<graph::Edge> edges;
  for (graph::Node i = 1; i < 50; ++i) edges.emplace_back(0, i);
  auto star = graph::Graph::from_edges(50, edges);
  EXPECT_FALSE(Promises(star).at({LinkageLevel::III, 0, 0.2}, 6, {6, 6}, Mode::Sound));
}

// Chance alone: lists of a random set, without background.
TEST(Promises, AreKeptByOneInK) {
  auto graph = people(2000);
  auto made = evaluated(graph, {LinkageLevel::I});
  const auto held = hold_against(made, Promises(*graph));
  ASSERT_EQ(held.size(), made.rows.size());
  for (std::size_t i = 0; i < held.size(); ++i) {
    ASSERT_TRUE(held[i].sound && held[i].paper);
    EXPECT_GE(held[i].sound->rate, 1.0 / 6);
    EXPECT_FALSE(held[i].crosses_sound) << made.rows[i].low << " " << held[i].sound->rate;
    EXPECT_FALSE(held[i].crosses_paper);
  }
}

// A few known users identify most others, which no bound on a sum foresees.
TEST(Promises, AreBrokenByListsOfKnownUsers) {
  auto graph = people(20'000);
  auto made = evaluated(graph, {LinkageLevel::III});
  const auto held = hold_against(made, Promises(*graph));
  ASSERT_EQ(made.rows[0].attack, "mle");
  ASSERT_TRUE(held[0].sound);
  EXPECT_LT(held[0].sound->rate, 0.5);
  EXPECT_TRUE(held[0].crosses_sound) << made.rows[0].low << " " << held[0].sound->rate;
}

TEST(Promises, AreCrossedByAWholeIntervalOnly) {
  auto graph = people(2000);
  const Promises promises(*graph);
  const LinkagePoint point{LinkageLevel::III, 0, 0.2};
  double rate = promises.at(point, 6, {6, 6}, Mode::Sound)->rate;
  auto row = [&](double low) {
    return EvaluationRow{"t", "mle", LinkageLevel::III, 6, 0, 0.2, low + 0.01, low, low + 0.02};
  };
  Evaluation made;
  made.rows = {row(rate + 1e-6), row(rate - 1e-6)};
  made.releases.resize(1);
  made.releases[0].technique = "t";
  made.releases[0].k = made.releases[0].smallest_set = made.releases[0].largest_set = 6;
  const auto held = hold_against(made, promises);
  EXPECT_TRUE(held[0].crosses_sound);
  EXPECT_FALSE(held[1].crosses_sound);
}

TEST(PromisedCurves, GoThroughEveryMeasuredShare) {
  auto graph = people(2000);
  auto made = evaluated(graph, {LinkageLevel::I, LinkageLevel::II, LinkageLevel::III}, 0.33, 0.17);
  const Promises promises(*graph);
  const auto held = hold_against(made, promises);
  const auto curves = promised_curves(made, promises);
  ASSERT_EQ(curves.size(), 4U);  // levels II and III, two modes
  for (const PromisedCurve& curve : curves) {
    EXPECT_EQ(curve.over_lambda1, curve.level == LinkageLevel::II);
    for (std::size_t i = 0; i < made.rows.size(); ++i) {
      if (made.rows[i].level != curve.level) continue;
      const auto& bound = curve.mode == Mode::Paper ? held[i].paper : held[i].sound;
      double x = curve.over_lambda1 ? 0.33 : 0.17;
      auto at = std::ranges::find(curve.points, x, &PromisedPoint::x);
      ASSERT_NE(at, curve.points.end());
      EXPECT_DOUBLE_EQ(at->rate, bound->rate);
    }
    if (curve.level == LinkageLevel::III && curve.mode == Mode::Sound) {
      EXPECT_TRUE(std::ranges::is_sorted(curve.points, {}, &PromisedPoint::rate));
    }
  }
}

}  // namespace
}  // namespace rankveil::attack
