#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rankveil/api/testing/json_rows.h"
#include "rankveil/base/file.h"
#include "rankveil/graphs/files/edge_list.h"
#include "rankveil/graphs/operations/graph_anonymize.h"
#include "rankveil/graphs/operations/graph_evaluate.h"
#include "rankveil/graphs/operations/graph_generate.h"
#include "rankveil/graphs/operations/graph_inspect.h"
#include "rankveil/graphs/release/verify.h"

namespace rankveil::api {
namespace {

using testing::HasSubstr;

class GraphOperations : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/rankveil_graph_operations";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    ASSERT_TRUE(generate_graph({.nodes = 300, .edges = 1'200, .path = path("g.csv")}));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

TEST_F(GraphOperations, PublishAGraphOfAnonymousDegrees) {
  GraphAnonymizeRequest request{.source = {.path = path("g.csv")},
                                .technique = {.name = "ia"},
                                .k = 5,
                                .output = path("p.csv")};
  auto refused = anonymize_graph(request);  // whoever reads it against itself finds nearly all
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("2/k = 40.0% are let through"));
  EXPECT_FALSE(std::filesystem::exists(path("p.csv")));
  request.anyway = true;
  auto made = anonymize_graph(request);
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_TRUE(made->found);
  EXPECT_GT(made->found->share, 0.4);
  EXPECT_EQ(made->found->level, "self");
  auto published = connect::read_graph({.path = path("p.csv")});
  ASSERT_TRUE(published);
  EXPECT_TRUE(graph::verify_degrees(published->graph, 5));
  EXPECT_EQ(published->graph.edges(), made->quality.after.edges);
}

TEST_F(GraphOperations, NeverPublishTheOriginalEdges) {
  for (const char* name : {"ca", "be", "random"}) {
    auto made = anonymize_graph({.source = {.path = path("g.csv")},
                                 .technique = {.name = name},
                                 .output = path("p.csv"),
                                 .format = "edges"});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("would be the original"));
    EXPECT_FALSE(std::filesystem::exists(path("p.csv")));
  }
}

TEST_F(GraphOperations, WritePagesThatSayWhatBroke) {
  GraphEvaluateRequest request{.source = {.path = path("g.csv")}, .techniques = {"ca"}};
  request.draws = 2;
  request.page = path("page.html");
  auto made = evaluate_graph(request);
  ASSERT_TRUE(made) << made.error().message;
  auto page = read_text(path("page.html"));
  ASSERT_TRUE(page);
  EXPECT_THAT(*page, HasSubstr("Broken"));
  EXPECT_THAT(*page, HasSubstr("By level, mle"));
  EXPECT_FALSE(evaluate_graph(request)) << "a page that is there is kept";
}

TEST_F(GraphOperations, ListRowsOfRatesAndBounds) {
  GraphEvaluateRequest request{.source = {.path = path("g.csv")}, .techniques = {"be"}};
  request.draws = 2;
  auto made = evaluate_graph(request);
  ASSERT_TRUE(made);
  Json rows = rows_json(*made);
  ASSERT_EQ(rows.as_array()->size(), 10U);  // five levels, two attacks
  for (const Json& row : *rows.as_array()) {
    EXPECT_EQ(row.as_object()->size(), 12U);
    EXPECT_TRUE(row.find("fu")->as_number());
  }
  EXPECT_TRUE(rows.as_array()->front().find("lambda1")->is_null());
}

class GraphBounds : public GraphOperations {
 protected:
  // Random sets of a graph that is large enough for a sound bound below 1.
  GraphEvaluateResult evaluated(const std::string& level) {
    EXPECT_TRUE(generate_graph({.nodes = 20'000, .edges = 160'000, .path = path("big.csv")}));
    GraphEvaluateRequest request{.source = {.path = path("big.csv")}, .techniques = {"random"}};
    request.levels = {level};
    request.lambda2s = {0.1};
    request.draws = 3;
    request.page = path("big.html");
    auto made = evaluate_graph(request);
    EXPECT_TRUE(made) << made.error().message;
    return made ? std::move(*made) : GraphEvaluateResult{};
  }
};

TEST(GraphReference, IsWhatTheDescriptionsSay) {
  testing_support::expect_rows_of_page<GraphGenerateResult>("graph generate");
  testing_support::expect_rows_of_page<GraphInspectResult>("graph inspect");
  testing_support::expect_rows_of_page<GraphAnonymizeResult>("graph anonymize");
}

TEST_F(GraphBounds, SayWhereAnAttackCrossesThem) {
  auto made = evaluated("III");
  Json json = to_json(made);
  const auto& found = *json.find("crossings")->as_array();
  ASSERT_FALSE(found.empty());
  const Json& last = found.back();
  EXPECT_EQ(*last.find("mode")->as_text(), "sound");
  EXPECT_EQ(*last.find("theorem")->as_number(), 4);
  EXPECT_EQ(*last.find("lambda2")->as_number(), 0.1);
  EXPECT_GT(*last.find("low")->as_number(), *last.find("bound")->as_number());
  const Json* crosses = json.find("rows")->as_array()->front().find("crosses");
  ASSERT_FALSE(crosses->as_array()->empty());
  EXPECT_EQ(*crosses->as_array()->back().as_text(), "sound");
  EXPECT_EQ(json.find("bounds")->as_array()->size(), 2U);
  auto page = read_text(path("big.html"));
  ASSERT_TRUE(page);
  EXPECT_THAT(*page, HasSubstr("random, level III: theorem 4, k = 6. Crossed: "));
  EXPECT_THAT(*page, HasSubstr("above the bound"));
  EXPECT_THAT(*page, HasSubstr("levels I and III: if lists were independent"));
}

TEST_F(GraphBounds, AreCountedWhereTheyExist) {
  GraphEvaluateResult result;
  for (auto level : {attack::LinkageLevel::III, attack::LinkageLevel::Self}) {
    result.evaluation.rows.push_back({"ca", "mle", level});
    result.held.emplace_back();
  }
  result.held[0].paper = attack::Promised{};
  result.held[0].crosses_paper = true;
  EXPECT_EQ(bounded(result, bound::Mode::Paper), 1U);
  EXPECT_EQ(bounded(result, bound::Mode::Sound), 0U);
  EXPECT_THAT(evaluation_page(result),
              HasSubstr("1 of 1 measured rates lie above the bound as printed and 0 of 0 above"));
}

TEST_F(GraphBounds, AreNotCrossedByChance) {
  auto made = evaluated("I");
  Json json = to_json(made);
  EXPECT_TRUE(json.find("crossings")->as_array()->empty());
  for (const Json& row : *json.find("rows")->as_array()) {
    EXPECT_TRUE(row.find("crosses")->as_array()->empty());
    EXPECT_GE(*row.find("bound_sound")->as_number(), *row.find("low")->as_number());
  }
  auto page = read_text(path("big.html"));
  ASSERT_TRUE(page);
  EXPECT_THAT(*page, HasSubstr("No measured rate lies above a bound."));
  EXPECT_THAT(*page, testing::Not(HasSubstr("Crossed: ")));
}

}  // namespace
}  // namespace rankveil::api
