#include "rankveil/graphs/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace rankveil::graph {
namespace {

TEST(Generate, MakesAsManyEdgesAsAsked) {
  for (Model model : {Model::ChungLu, Model::ErdosRenyi}) {
    auto graph = generate({.model = model, .nodes = 500, .edges = 3'000});
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->nodes(), 500U);
    EXPECT_EQ(graph->edges(), 3'000U);
  }
}

TEST(Generate, GivesNewcomersTheSameNumberOfFriends) {
  auto graph = generate({.model = Model::Preferential, .nodes = 500, .edges = 2'000});
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->edges(), 10U + 495U * 4U);
  EXPECT_GE(std::ranges::min(degrees_of(*graph)), 4U);
}

TEST(Generate, RepeatsForTheSameSeedOnly) {
  for (Model model : {Model::ChungLu, Model::ErdosRenyi, Model::Preferential}) {
    auto one = generate({.model = model, .seed = 1});
    EXPECT_EQ(*one, *generate({.model = model, .seed = 1}));
    EXPECT_NE(*one, *generate({.model = model, .seed = 2}));
  }
}

TEST(Generate, HasHubsUnderChungLuAndPreferential) {
  auto most = [](Model model) {
    auto graph = generate({.model = model, .nodes = 2'000, .edges = 10'000});
    return std::ranges::max(degrees_of(*graph));
  };
  EXPECT_LT(most(Model::ErdosRenyi), 30U);
  EXPECT_GT(most(Model::ChungLu), 60U);
  EXPECT_GT(most(Model::Preferential), 60U);
}

TEST(Generate, EndsEvenWhenHalfOfAllPairsAreWanted) {
  auto graph = generate({.nodes = 40, .edges = 390});
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->edges(), 390U);
}

TEST(Generate, RefusesWhatCannotBe) {
  EXPECT_FALSE(generate({.nodes = 1}));
  EXPECT_FALSE(generate({.nodes = 0}));
  EXPECT_FALSE(generate({.edges = 0}));
  EXPECT_FALSE(generate({.nodes = 40, .edges = 391}));
  EXPECT_FALSE(generate({.exponent = 2}));
  EXPECT_TRUE(generate({.nodes = 2, .edges = 1}));
}

TEST(Model, IsFoundByItsName) {
  for (Model model : {Model::ChungLu, Model::ErdosRenyi, Model::Preferential}) {
    EXPECT_EQ(*model_named(name_of(model)), model);
  }
  EXPECT_FALSE(model_named("small-world"));
}

}  // namespace
}  // namespace rankveil::graph
