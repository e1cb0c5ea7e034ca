#include "rankveil/graphs/bounds/friend_lists.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rankveil/graphs/generate.h"
#include "rankveil/graphs/release/baseline.h"

namespace rankveil::bound {
namespace {

// By the definition of a moment, one at a time.
double plain_moment(const graph::Graph& graph, graph::Node node, int power, bool central,
                    bool absolute) {
  auto list = graph.friends(node);
  if (list.empty()) return 0;
  double mean = 0, sum = 0;
  for (graph::Node other : list) mean += double(other) / graph.nodes() / double(list.size());
  for (graph::Node other : list) {
    double value = double(other) / graph.nodes() - (central ? mean : 0);
    sum += std::pow(absolute ? std::abs(value) : value, power);
  }
  return sum / double(list.size());
}

graph::Graph random_graph(std::uint64_t seed) {
  auto made = graph::generate({.nodes = 60, .edges = 150, .seed = seed});
  EXPECT_TRUE(made) << made.error().message;
  return made ? std::move(*made) : graph::Graph{};
}

TEST(FriendLists, HaveTheMomentsOfTheirLabels) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const graph::Graph graph = random_graph(seed);
    const Crowd crowd = crowd_of(graph);
    ASSERT_EQ(crowd.size(), graph.nodes());
    for (graph::Node node = 0; node < graph.nodes(); ++node) {
      const Moments& moments = crowd[node].moments;
      EXPECT_EQ(crowd[node].people, 1U);
      EXPECT_NEAR(moments.variance, plain_moment(graph, node, 2, true, false), 1e-14);
      EXPECT_NEAR(moments.third, plain_moment(graph, node, 3, true, false), 1e-14);
      EXPECT_NEAR(moments.absolute_third, plain_moment(graph, node, 3, true, true), 1e-14);
      EXPECT_NEAR(moments.fourth, plain_moment(graph, node, 4, true, false), 1e-14);
      EXPECT_NEAR(moments.raw_third, plain_moment(graph, node, 3, false, false), 1e-14);
      EXPECT_NEAR(moments.raw_fourth, plain_moment(graph, node, 4, false, false), 1e-14);
    }
  }
}

TEST(FriendLists, AreTheNumbersThatBaselineSetsAreChosenBy) {
  const graph::Graph graph = random_graph(3);
  const Crowd crowd = crowd_of(graph);
  for (graph::Node node = 0; node < graph.nodes(); ++node) {
    auto expected = graph::label_moments(graph, node);
    EXPECT_NEAR(crowd[node].moments.variance, expected.variance, 1e-15);
    EXPECT_NEAR(crowd[node].moments.third, expected.third, 1e-15);
  }
}

TEST(FriendLists, OfAPathAreKnownByHand) {
  const std::vector<graph::Edge> edges = {{0, 1}, {1, 2}, {2, 3}};
  const graph::Graph path = graph::Graph::from_edges(4, edges);
  const Crowd crowd = crowd_of(path);
  EXPECT_EQ(crowd[0].moments.variance, 0);       // one friend
  EXPECT_EQ(crowd[1].moments.variance, 0.0625);  // 0 or 1/2
  EXPECT_EQ(crowd[2].moments.raw_third,          // 1/4 or 3/4
            (0.015625 + 0.421875) / 2);
  EXPECT_EQ(neighbourhood_of(path), 3U);
  EXPECT_EQ(certain_users(path), 2U);
}

}  // namespace
}  // namespace rankveil::bound
