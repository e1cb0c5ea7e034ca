#include "rankveil/graphs/release/degree_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/base/random.h"
#include "rankveil/base/testing/sanitized.h"
#include "rankveil/graphs/degree_sequence.h"

namespace rankveil::graph {
namespace {

using testing::ElementsAre;

const std::vector<std::uint32_t> thirteen = {14, 9, 8, 8, 5, 5, 4, 3, 2, 2, 1, 1, 1};

TEST(CheapestGroups, AreThoseOfTheWorkedExample) {
  auto groups = [](std::uint32_t k, GroupDegree degree) {
    return cheapest_groups(thirteen, k, degree);
  };
  EXPECT_EQ(groups(2, GroupDegree::Highest), (DegreeGroups{{2, 4, 6, 8, 10, 13}, 6}));
  EXPECT_EQ(groups(3, GroupDegree::Highest), (DegreeGroups{{4, 7, 10, 13}, 20}));
  EXPECT_EQ(groups(4, GroupDegree::Highest), (DegreeGroups{{4, 8, 13}, 23}));
  EXPECT_EQ(groups(2, GroupDegree::Median), (DegreeGroups{{2, 4, 6, 8, 10, 13}, 6}));
  EXPECT_EQ(groups(3, GroupDegree::Median), (DegreeGroups{{4, 7, 10, 13}, 9}));
  EXPECT_EQ(groups(4, GroupDegree::Median), (DegreeGroups{{4, 8, 13}, 12}));
}

std::vector<std::uint32_t> random_degrees(Rng& rng, std::size_t count, std::uint64_t most) {
  std::vector<std::uint32_t> falling;
  for (std::size_t i = 0; i < count; ++i) {
    falling.push_back(static_cast<std::uint32_t>(rng.below(1 + rng.below(most))));
  }
  std::sort(falling.rbegin(), falling.rend());
  return falling;
}

TEST(CheapestGroups, CostWhatTheUnrestrictedRecursionFinds) {
  for (std::uint64_t seed = 0; seed < some_of(500U); ++seed) {
    Rng rng(seed);
    auto falling = random_degrees(rng, 2 + rng.below(60), 40);
    auto k =
        static_cast<std::uint32_t>(2 + rng.below(std::min<std::uint64_t>(8, falling.size() - 1)));
    for (GroupDegree degree : {GroupDegree::Highest, GroupDegree::Median}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", k " << k);
      EXPECT_EQ(cheapest_groups(falling, k, degree), cheapest_groups_plainly(falling, k, degree));
    }
  }
}

TEST(GreedyGroups, AreValidAndNeverCheaper) {
  for (std::uint64_t seed = 0; seed < some_of(300U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto falling = random_degrees(rng, 2 + rng.below(60), 40);
    auto k =
        static_cast<std::uint32_t>(2 + rng.below(std::min<std::uint64_t>(8, falling.size() - 1)));
    for (GroupDegree degree : {GroupDegree::Highest, GroupDegree::Median}) {
      auto groups = greedy_groups(falling, k, degree);
      EXPECT_GE(groups.cost, cheapest_groups(falling, k, degree).cost);
      EXPECT_EQ(groups.ends.back(), falling.size());
      std::uint32_t first = 0;
      for (auto end : groups.ends) {
        auto size = end - std::exchange(first, end);
        EXPECT_GE(size, k);
        EXPECT_LT(size, 2 * k);
      }
      auto given = given_degrees(falling, groups, degree);
      std::uint64_t cost = 0;
      for (std::size_t i = 0; i < given.size(); ++i) {
        cost += given[i] > falling[i] ? given[i] - falling[i] : falling[i] - given[i];
      }
      EXPECT_EQ(cost, groups.cost);
    }
  }
}

TEST(GivenDegrees, AreTheHighestOrTheMiddle) {
  DegreeGroups groups{{3, 6}, 0};
  std::vector<std::uint32_t> falling = {9, 7, 2, 2, 1, 0};
  EXPECT_THAT(given_degrees(falling, groups, GroupDegree::Highest), ElementsAre(9, 9, 9, 2, 2, 2));
  EXPECT_THAT(given_degrees(falling, groups, GroupDegree::Median), ElementsAre(7, 7, 7, 1, 1, 1));
}

// All graphs of five nodes, by force.
TEST(IsGraphical, AgreesWithTryingAllGraphs) {
  std::vector<std::vector<std::uint32_t>> possible;
  for (unsigned bits = 0; bits < 1024; ++bits) {
    std::vector<std::uint32_t> degrees(5, 0);
    unsigned bit = 0;
    for (int u = 0; u < 5; ++u) {
      for (int v = u + 1; v < 5; ++v, ++bit) {
        if (bits >> bit & 1) ++degrees[u], ++degrees[v];
      }
    }
    possible.push_back(degrees);
  }
  std::sort(possible.begin(), possible.end());
  for (unsigned code = 0; code < 6 * 6 * 6 * 6 * 6; ++code) {
    std::vector<std::uint32_t> degrees;
    for (unsigned rest = code, i = 0; i < 5; ++i, rest /= 6) degrees.push_back(rest % 6);
    bool wanted = std::binary_search(possible.begin(), possible.end(), degrees);
    EXPECT_EQ(is_graphical(degrees), wanted) << testing::PrintToString(degrees);
    auto graph = construct_graph(degrees);
    ASSERT_EQ(graph.has_value(), wanted) << testing::PrintToString(degrees);
    if (graph) {
      EXPECT_EQ(degrees_of(*graph), degrees);
    }
  }
}

TEST(ConstructGraph, HasTheDegreesOfLargerLists) {
  for (std::uint64_t seed = 0; seed < some_of(200U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto degrees = random_degrees(rng, 30 + rng.below(100), 25);
    auto graph = construct_graph(degrees);
    ASSERT_EQ(graph.has_value(), is_graphical(degrees));
    if (graph) {
      EXPECT_EQ(degrees_of(*graph), degrees);
    }
  }
}

}  // namespace
}  // namespace rankveil::graph
