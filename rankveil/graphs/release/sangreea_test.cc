#include "rankveil/graphs/release/sangreea.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/graphs/testing/toy_graphs.h"

namespace rankveil::graph {
namespace {

using Sets = std::vector<std::vector<Node>>;

TEST(Sangreea, MakesTheSetsOfTheWorkedExample) {
  EXPECT_EQ(*sangreea(nine(), {.k = 2}), CloakedSets(9, Sets{{0, 1}, {4, 3}, {6, 7, 8}, {2, 5}}));
  EXPECT_EQ(*sangreea(nine(), {.k = 3}), CloakedSets(9, Sets{{0, 1, 2}, {4, 3, 5}, {6, 7, 8}}));
  EXPECT_EQ(*sangreea(nine(), {.k = 4}), CloakedSets(9, Sets{{0, 1, 2, 3}, {4, 5, 6, 7, 8}}));
}

TEST(Sangreea, EqualsTheDirectForm) {
  for (std::uint64_t seed = 0; seed < some_of(300U); ++seed) {
    Rng rng(seed);
    Graph graph = random_graph(rng, 60);
    auto k = static_cast<std::uint32_t>(2 + rng.below(std::min<Node>(7, graph.nodes() - 1)));
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", k " << k);
    EXPECT_EQ(*sangreea(graph, {.k = k}), *sangreea_direct(graph, {.k = k}));
  }
}

// Degrees so high that counts need the wide form.
TEST(Sangreea, EqualsTheDirectFormAroundAHub) {
  Rng rng(1);
  std::vector<Edge> edges;
  for (Node node = 1; node < 400; ++node) {
    edges.emplace_back(0, node);
    edges.emplace_back(node, static_cast<Node>(rng.below(400)));
  }
  Graph graph = Graph::from_edges(400, edges);
  EXPECT_EQ(*sangreea(graph, {.k = 100}), *sangreea_direct(graph, {.k = 100}));
}

Attributes random_attributes(Rng& rng, Node nodes) {
  auto cities = Hierarchy::from_paths(
      {{"Lyon", "France", "*"}, {"Paris", "France", "*"}, {"Rome", "Italy", "*"}});
  Attributes attributes;
  attributes.numeric.push_back({"age", {}});
  attributes.categorical.push_back({"city", *cities, {}});
  std::vector<std::string> names = {"Lyon", "Paris", "Rome"};
  for (Node node = 0; node < nodes; ++node) {
    attributes.numeric[0].values.push_back(static_cast<double>(rng.below(20)));
    attributes.categorical[0].values.push_back(
        *attributes.categorical[0].hierarchy.leaf(names[rng.below(3)]));
  }
  return attributes;
}

TEST(Sangreea, EqualsTheDirectFormWithAttributes) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    Graph graph = random_graph(rng, 40);
    Attributes attributes = random_attributes(rng, graph.nodes());
    SangreeaOptions options{
        .k = 3, .alpha = 0.5 + rng.uniform(), .beta = rng.uniform(), .attributes = &attributes};
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    EXPECT_EQ(*sangreea(graph, options), *sangreea_direct(graph, options));
  }
}

// SaNGreeA word for word (Campan and Truta 2008), on age and city of random_attributes: nothing of
// the library but the graph's lists.
class WordForWord {
 public:
  WordForWord(const Graph& graph, const Attributes& attributes, const SangreeaOptions& options)
      : graph_(graph), attributes_(attributes), options_(options) {}

  Sets run() {
    std::set<Node> free;
    for (Node node = 0; node < graph_.nodes(); ++node) free.insert(node);
    const auto seed = [&] {
      return *std::ranges::max_element(free, {}, [&](Node x) { return graph_.degree(x); });
    };
    Sets sets;
    while (free.size() >= options_.k) {
      sets.push_back({seed()});
      free.erase(sets.back().front());
      while (sets.back().size() < options_.k) {
        sets.back().push_back(
            *std::ranges::min_element(free, {}, [&](Node x) { return score(x, sets.back()); }));
        free.erase(sets.back().back());
      }
    }
    while (!free.empty()) {
      const Node node = seed();
      std::ranges::min_element(sets, {}, [&](const auto& set) {
        return score(node, set);
      })->push_back(node);
      free.erase(node);
    }
    return sets;
  }

 private:
  double score(Node node, const std::vector<Node>& set) const {
    double different = 0;
    for (Node member : set) {
      for (Node z = 0; z < graph_.nodes(); ++z) {
        const bool odd = graph_.adjacent(z, node) != graph_.adjacent(z, member);
        different += odd && z != node && z != member ? 1 : 0;
      }
    }
    const double distance = different / (static_cast<double>(set.size()) * (graph_.nodes() - 2.0));
    return options_.alpha * blurred(node, set) / 2 + options_.beta * distance;
  }

  double blurred(Node node, const std::vector<Node>& set) const {
    const auto& ages = attributes_.numeric[0].values;
    const auto [low, high] = std::ranges::minmax(ages);
    std::set<double> own = {ages[node]};
    std::set<std::uint32_t> cities = {attributes_.categorical[0].values[node]};
    for (Node member : set) {
      own.insert(ages[member]);
      cities.insert(attributes_.categorical[0].values[member]);
    }
    const auto& tree = attributes_.categorical[0].hierarchy;
    const std::set<std::uint32_t> french = {*tree.leaf("Lyon"), *tree.leaf("Paris")};
    double height = 0;
    if (cities.size() > 1) height = std::ranges::includes(french, cities) ? 1 : 2;
    return (high > low ? (*own.rbegin() - *own.begin()) / (high - low) : 0) + height / 2;
  }

  const Graph& graph_;
  const Attributes& attributes_;
  const SangreeaOptions& options_;
};

TEST(Sangreea, IsThePapersPseudoCodeToTheLastUser) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    Graph graph = random_graph(rng, 25);
    Attributes attributes = random_attributes(rng, graph.nodes());
    const auto k = static_cast<std::uint32_t>(2 + rng.below(std::min<Node>(6, graph.nodes() - 1)));
    SangreeaOptions options{.k = k, .alpha = 4, .beta = 1, .attributes = &attributes};
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", k " << k);
    EXPECT_EQ(*sangreea(graph, options),
              CloakedSets(graph.nodes(), WordForWord(graph, attributes, options).run()));
  }
}

// Two pairs of twins by age, and one left over who is a twin of the second pair: without friends to
// speak of, only attributes can say so.
TEST(Sangreea, DealsTheLastUsersByTheirAttributes) {
  const Graph graph = Graph::from_edges(5, std::vector<Edge>{{0, 1}, {2, 3}});
  Attributes attributes;
  attributes.numeric.push_back({"age", {20, 20, 80, 80, 80}});
  auto sets = sangreea(graph, {.k = 2, .alpha = 1, .beta = 0, .attributes = &attributes});
  ASSERT_TRUE(sets);
  EXPECT_EQ(sets->set_of(4), sets->set_of(2));
}

TEST(Sangreea, PutsEqualAttributesTogetherWhenOnlyTheyCount) {
  Attributes attributes;
  attributes.numeric.push_back({"age", {20, 80, 20, 80, 20, 80, 20, 80, 20}});
  auto sets = sangreea(nine(), {.k = 4, .alpha = 1, .beta = 0, .attributes = &attributes});
  ASSERT_TRUE(sets);
  for (Node node = 1; node < 8; ++node) {
    EXPECT_EQ(sets->set_of(node) == sets->set_of(0), node % 2 == 0);
  }
}

TEST(Sangreea, RefusesWhatMakesNoSense) {
  EXPECT_THAT(sangreea(nine(), {.k = 1}).error().message, testing::HasSubstr("k is 1"));
  EXPECT_THAT(sangreea(nine(), {.k = 10}).error().message,
              testing::HasSubstr("k is 10, but the graph has 9 nodes"));
  EXPECT_FALSE(sangreea(nine(), {.alpha = 0.5}));
  EXPECT_FALSE(sangreea(nine(), {.alpha = 0, .beta = 0}));
  EXPECT_FALSE(sangreea(nine(), {.alpha = 0, .beta = -1}));
}

TEST(Hierarchy, MeasuresHowFarAValueIsGeneralised) {
  auto tree = Hierarchy::from_paths({{"a", "ab", "*"}, {"b", "ab", "*"}, {"c", "*"}});
  ASSERT_TRUE(tree);
  auto a = *tree->leaf("a"), b = *tree->leaf("b"), c = *tree->leaf("c");
  EXPECT_EQ(tree->height(), 2U);
  EXPECT_EQ(tree->height(a), 0U);
  EXPECT_EQ(tree->height(tree->join(a, b)), 1U);
  EXPECT_EQ(tree->height(tree->join(a, c)), 2U);
  EXPECT_FALSE(tree->leaf("ab"));
}

TEST(Hierarchy, RefusesWhatIsNoTree) {
  EXPECT_FALSE(Hierarchy::from_paths({}));
  EXPECT_FALSE(Hierarchy::from_paths({{"a"}}));
  EXPECT_FALSE(Hierarchy::from_paths({{"a", "*"}, {"a", "*"}}));
  EXPECT_FALSE(Hierarchy::from_paths({{"a", "*"}, {"b", "all"}}));
  EXPECT_FALSE(Hierarchy::from_paths({{"a", "x", "p", "*"}, {"b", "x", "q", "*"}}));
}

TEST(Blur, IsTheSumOfRatios) {
  Attributes attributes;
  attributes.numeric.push_back({"age", {10, 20, 50}});
  attributes.categorical.push_back({"sex", Hierarchy::flat({"f", "m"}), {0, 0, 1}});
  Blur blur(attributes);
  blur.add(0);
  EXPECT_DOUBLE_EQ(blur.loss(), 0);
  EXPECT_DOUBLE_EQ(blur.loss_with(1), 0.25);
  blur.add(2);
  EXPECT_DOUBLE_EQ(blur.loss(), 2);
}

}  // namespace
}  // namespace rankveil::graph
