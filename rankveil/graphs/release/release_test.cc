#include "rankveil/graphs/release/release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/base/json.h"
#include "rankveil/base/testing/sanitized.h"
#include "rankveil/graphs/generate.h"
#include "rankveil/graphs/release/edit_degrees.h"
#include "rankveil/graphs/release/identity.h"
#include "rankveil/graphs/release/quality.h"
#include "rankveil/graphs/release/verify.h"
#include "rankveil/graphs/testing/toy_graphs.h"

namespace rankveil::graph {
namespace {

using testing::HasSubstr;
using Sets = std::vector<std::vector<Node>>;

std::shared_ptr<const Graph> shared(Graph graph) {
  return std::make_shared<const Graph>(std::move(graph));
}

TEST(Anonymize, KeepsItsPromiseOrRefuses) {
  int released = 0;
  for (std::uint64_t seed = 0; seed < some_of(200U); ++seed) {
    Rng rng(seed);
    auto graph = shared(random_graph(rng, 80));
    auto k = static_cast<std::uint32_t>(2 + rng.below(std::min<Node>(6, graph->nodes() - 1)));
    for (const TechniqueInfo& info : techniques()) {
      for (Editing editing : {Editing::AddAndDelete, Editing::Supergraph}) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << info.name << ", k " << k);
        auto release = anonymize(graph, {.technique = info.technique, .k = k, .editing = editing});
        if (!release) {
          EXPECT_EQ(info.technique, Technique::Ia) << release.error().message;
          continue;
        }
        ++released;
        EXPECT_TRUE(verify_sets(release->sets, graph->nodes(), k));
        EXPECT_TRUE(verify_simple(*release->graph));
        if (info.technique != Technique::Ia) {
          EXPECT_EQ(release->graph, graph);
          continue;
        }
        EXPECT_TRUE(verify_degrees(*release->graph, k));
        EXPECT_EQ(release->changes, changes(*graph, *release->graph));
        if (editing == Editing::Supergraph) {
          EXPECT_EQ(release->changes.deleted, 0U);
        }
      }
    }
  }
  EXPECT_GT(released, some_of(1'400));
}

TEST(Anonymize, GivesIdentityGroupsOneDegreeEach) {
  auto graph = shared(*generate({.nodes = 2'000, .edges = 8'000}));
  for (Grouping grouping : {Grouping::Optimal, Grouping::Greedy}) {
    auto release = anonymize(graph, {.technique = Technique::Ia, .k = 5, .grouping = grouping});
    ASSERT_TRUE(release) << release.error().message;
    for (std::uint32_t set = 0; set < release->sets.size(); ++set) {
      for (Node node : release->sets.members(set)) {
        EXPECT_EQ(release->graph->degree(node),
                  release->graph->degree(release->sets.members(set)[0]));
      }
    }
  }
}

// The least that giving each set one degree can cost, with an even sum of all: by trying every
// degree for every set, and every change by one of a set that can mend the sum.
std::uint64_t least_cost(const Graph& graph, const CloakedSets& sets, Editing editing) {
  std::uint64_t all = 0, sum = 0, mending = UINT64_MAX;
  for (std::uint32_t set = 0; set < sets.size(); ++set) {
    const auto members = sets.members(set);
    std::vector<std::uint64_t> costs(graph.nodes(), UINT64_MAX / 4);  // by the degree given
    for (std::uint32_t given = 0; given < graph.nodes(); ++given) {
      std::uint64_t cost = 0;
      for (Node node : members) {
        const std::uint32_t degree = graph.degree(node);
        if (given < degree && editing == Editing::Supergraph) cost += UINT64_MAX / 8 / 1000;
        cost += given > degree ? given - degree : degree - given;
      }
      costs[given] = cost;
    }
    const auto best = std::ranges::min_element(costs);
    all += *best;
    sum += static_cast<std::uint64_t>(best - costs.begin()) * members.size();
    if (members.size() % 2 == 0) continue;
    if (best != costs.begin()) mending = std::min(mending, *(best - 1) - *best);
    if (best + 1 != costs.end()) mending = std::min(mending, *(best + 1) - *best);
  }
  return sum % 2 == 0 ? all : all + mending;
}

TEST(Anonymize, ChangesAsFewDegreesAsAnEvenSumAllows) {
  int odd = 0;
  for (std::uint64_t seed = 0; seed < some_of(300U); ++seed) {
    Rng rng(seed);
    const Graph graph = random_graph(rng, 60);
    const auto k = static_cast<std::uint32_t>(2 + rng.below(std::min<Node>(6, graph.nodes() - 1)));
    for (Editing editing : {Editing::AddAndDelete, Editing::Supergraph}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", k " << k);
      auto release = anonymize_identity(graph, {.k = k, .editing = editing, .probes = 0});
      if (!release) continue;
      std::uint64_t changed = 0;
      for (Node node = 0; node < graph.nodes(); ++node) {
        const std::uint32_t before = graph.degree(node), after = release->graph.degree(node);
        changed += before > after ? before - after : after - before;
      }
      EXPECT_EQ(changed, least_cost(graph, release->sets, editing));
      odd += changed > release->group_cost ? 1 : 0;
    }
  }
  EXPECT_GT(odd, some_of(20));
}

TEST(Anonymize, RefusesKThatMakesNoSense) {
  for (const TechniqueInfo& info : techniques()) {
    auto graph = shared(nine());
    EXPECT_THAT(anonymize(graph, {.technique = info.technique, .k = 1}).error().message,
                HasSubstr("k is 1"));
    EXPECT_THAT(anonymize(graph, {.technique = info.technique, .k = 10}).error().message,
                HasSubstr("k is 10, but the graph has 9 nodes"));
  }
}

TEST(EditToDegrees, MeetsDegreesByEachOfItsMoves) {
  Graph path = Graph::from_edges(6, std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  for (std::vector<std::uint32_t> given : {std::vector<std::uint32_t>{2, 2, 2, 2, 2, 2},
                                           {1, 1, 1, 1, 1, 1},
                                           {1, 3, 1, 2, 2, 1},
                                           {3, 2, 2, 2, 2, 1},
                                           {1, 2, 2, 2, 3, 2},
                                           {1, 0, 2, 2, 2, 1}}) {
    auto edited = edit_to_degrees(path, given);
    EXPECT_EQ(edited.unmet, 0U) << testing::PrintToString(given);
    EXPECT_EQ(degrees_of(edited.graph), given);
    EXPECT_TRUE(verify_simple(edited.graph));
  }
}

TEST(GrowToDegrees, OnlyAddsAndSaysWhatIsUnmet) {
  Graph path = Graph::from_edges(4, std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}});
  auto grown = grow_to_degrees(path, std::vector<std::uint32_t>{2, 2, 2, 2});
  EXPECT_EQ(grown.unmet, 0U);
  EXPECT_TRUE(grown.graph.adjacent(0, 3));
  EXPECT_EQ(grow_to_degrees(path, std::vector<std::uint32_t>{1, 3, 3, 1}).unmet, 2U);
}

TEST(Baseline, AvoidsFriendsAndOrdersByVariance) {
  Graph graph = nine();
  auto made = anonymize_baseline(graph, {.k = 3});
  ASSERT_TRUE(made);
  double largest = 0;
  for (Node node = 0; node < 9; ++node) {
    largest = std::max(largest, label_moments(graph, node).variance);
  }
  EXPECT_DOUBLE_EQ(label_moments(graph, made->sets.members(0)[0]).variance, largest);
  auto first = made->sets.members(0);
  for (Node a : first) {
    for (Node b : first) EXPECT_FALSE(graph.adjacent(a, b));
  }
}

TEST(Baseline, HasMomentsOfLabels) {
  Graph star = Graph::from_edges(4, std::vector<Edge>{{3, 0}, {3, 1}, {3, 2}});
  auto moments = label_moments(star, 3);
  EXPECT_NEAR(moments.variance, 2.0 / 3 / 16, 1e-15);
  EXPECT_NEAR(moments.third, 0, 1e-15);
  EXPECT_EQ(label_moments(star, 0).variance, 0);
}

TEST(Baseline, FormsDiffer) {
  Graph graph = *generate({.nodes = 300, .edges = 1'500});
  auto sets = [&](BaselineForm form) {
    return anonymize_baseline(graph, {.k = 5, .form = form})->sets;
  };
  EXPECT_NE(sets(BaselineForm::Greedy), sets(BaselineForm::Balanced));
  EXPECT_NE(sets(BaselineForm::Greedy), sets(BaselineForm::Similar));
  EXPECT_FALSE(anonymize_baseline(graph, {.window = 0}));
}

TEST(RandomSets, PutTheRestIntoTheLastSets) {
  auto sets = random_sets(nine(), 4, 1);
  ASSERT_TRUE(sets);
  EXPECT_EQ(sets->size(), 2U);
  EXPECT_EQ(sets->members(1).size(), 5U);
  EXPECT_NE(*sets, *random_sets(nine(), 4, 2));
}

TEST(StructuralLoss, IsThatOfTheWorkedExample) {
  auto loss = [](std::uint32_t k) {
    auto release = anonymize(shared(nine()), {.k = k});
    return std::pair(structural_loss(nine(), release->sets),
                     normalised_structural_loss(nine(), release->sets));
  };
  EXPECT_NEAR(loss(2).first, 7.166666667, 1e-9);
  EXPECT_NEAR(loss(2).second, .398148148, 1e-9);
  EXPECT_NEAR(loss(3).first, 6.222222222, 1e-9);
  EXPECT_NEAR(loss(3).second, .345679012, 1e-9);
  EXPECT_NEAR(loss(4).first, 11.266666667, 1e-9);
  EXPECT_NEAR(loss(4).second, .625925926, 1e-9);
}

TEST(Quality, CountsTrianglesComponentsAndDegrees) {
  auto shape =
      shape_of(Graph::from_edges(7, std::vector<Edge>{{0, 1}, {1, 2}, {0, 2}, {2, 3}, {4, 5}}));
  EXPECT_EQ(shape.triangles, 1U);
  EXPECT_NEAR(shape.clustering, (1 + 1 + 1.0 / 3) / 7, 1e-15);
  EXPECT_NEAR(shape.transitivity, 3.0 / 5, 1e-15);
  EXPECT_EQ(shape.components, 3U);
  EXPECT_EQ(shape.largest_component, 4U);
  EXPECT_EQ(shape.unique_degrees, 2U);  // 3 and 0
  EXPECT_EQ(shape.distinct_degrees, 4U);
}

TEST(Quality, MeasuresWhatIdentityChanges) {
  auto graph = shared(nine());
  auto release = anonymize(graph, {.technique = Technique::Ia, .k = 4});
  ASSERT_TRUE(release) << release.error().message;
  Attributes attributes;
  attributes.numeric.push_back({"age", {1, 2, 3, 4, 5, 6, 7, 8, 9}});
  auto quality = quality_of(*graph, *release, &attributes);
  EXPECT_GT(quality.changes.added + quality.changes.deleted, 0U);
  EXPECT_GT(quality.degrees.mean_change, 0);
  EXPECT_GT(quality.degrees.largest_gap, 0);
  ASSERT_TRUE(quality.ngil);
  EXPECT_GT(*quality.ngil, 0);
  EXPECT_LE(*quality.ngil, 1);
}

TEST(DegreeDistance, IsTheMeanChangeAndTheLargestGap) {
  Graph before = Graph::from_edges(4, std::vector<Edge>{{0, 1}});
  Graph after = Graph::from_edges(4, std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}});
  auto distance = degree_distance(before, after);  // 0 0 1 1 and 1 1 2 2
  EXPECT_DOUBLE_EQ(distance.mean_change, 1);
  EXPECT_DOUBLE_EQ(distance.largest_gap, 0.5);
}

TEST(Verify, FindsWhatIsWrong) {
  EXPECT_THAT(verify_sets(CloakedSets(3, Sets{{0}, {1, 2}}), 3, 2).error().message,
              HasSubstr("set 0 has 1 member"));
  EXPECT_FALSE(verify_sets(CloakedSets(2, Sets{{0, 1}}), 3, 2));
  EXPECT_THAT(verify_simple(Graph::from_lists({{1}, {}})).error().message,
              HasSubstr("not the other way round"));
  EXPECT_FALSE(verify_simple(Graph::from_lists({{0}})));
  EXPECT_THAT(verify_degrees(nine(), 2).error().message, HasSubstr("degree 4"));
}

TEST(CloakedSetsText, HidesWhoseListIsWhose) {
  auto release = anonymize(shared(nine()), {.k = 3});
  std::vector<std::uint64_t> names = {10, 11, 12, 13, 14, 15, 16, 17, 18};
  std::string text = cloaked_sets_text(*release, names);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            R"({"set":0,"users":[10,11,12],"lists":[[10,11],[10,12],[11,12,13,14]]})");
  EXPECT_TRUE(parse_json(text.substr(0, text.find('\n'))));
}

TEST(SetCountsText, NamesNobody) {
  auto release = anonymize(shared(nine()), {.k = 3});
  EXPECT_EQ(set_counts_text(*release),
            "set,size,other,edges\n0,3,0,3\n0,3,1,2\n1,3,1,2\n1,3,2,1\n2,3,2,3\n");
}

TEST(Technique, IsFoundByItsName) {
  for (const TechniqueInfo& info : techniques()) {
    EXPECT_EQ(*technique_named(info.name), info.technique);
  }
  EXPECT_THAT(technique_named("xx").error().message, HasSubstr("there are ca, ia, be, random"));
}

}  // namespace
}  // namespace rankveil::graph
