#include "rankveil/graphs/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/graphs/testing/toy_graphs.h"

namespace rankveil::graph {
namespace {

using testing::ElementsAre;

TEST(Graph, ListsAreSortedAndSymmetric) {
  for (std::uint64_t seed = 0; seed < some_of(100U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto nodes = static_cast<Node>(1 + rng.below(30));
    std::set<Edge> wanted;
    std::vector<Edge> edges;
    for (int i = 0; i < 60; ++i) {
      edges.emplace_back(rng.below(nodes), rng.below(nodes));
      auto [u, v] = edges.back();
      if (u != v) wanted.emplace(std::min(u, v), std::max(u, v));
    }
    Graph graph = Graph::from_edges(nodes, edges);
    EXPECT_EQ(edges_of(graph), std::vector<Edge>(wanted.begin(), wanted.end()));
    EXPECT_EQ(graph.edges(), wanted.size());
    for (Node u = 0; u < nodes; ++u) {
      for (Node v = 0; v < nodes; ++v) {
        EXPECT_EQ(graph.adjacent(u, v), wanted.contains({std::min(u, v), std::max(u, v)}));
      }
    }
  }
}

TEST(Graph, HasFriendsAndDegrees) {
  Graph graph = nine();
  EXPECT_EQ(graph.nodes(), 9U);
  EXPECT_EQ(graph.edges(), 11U);
  EXPECT_THAT(graph.friends(0), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(degrees_of(graph), ElementsAre(4, 2, 2, 2, 3, 2, 3, 2, 2));
}

TEST(Graph, OfNothingHasNoNodes) {
  EXPECT_EQ(Graph().nodes(), 0U);
  EXPECT_EQ(Graph().edges(), 0U);
}

TEST(ByFallingDegree, PutsEqualDegreesByNumber) {
  EXPECT_THAT(by_falling_degree(nine()), ElementsAre(0, 4, 6, 1, 2, 3, 5, 7, 8));
}

TEST(Graph, OfListsIsTheGraphOfItsEdges) {
  EXPECT_EQ(Graph::from_lists({{1, 2}, {0}, {0}}),
            Graph::from_edges(3, std::vector<Edge>{{0, 1}, {2, 0}}));
}

}  // namespace
}  // namespace rankveil::graph
