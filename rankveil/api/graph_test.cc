#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rankveil/api/graph_anonymize.h"
#include "rankveil/api/graph_evaluate.h"
#include "rankveil/api/graph_generate.h"
#include "rankveil/base/file.h"
#include "rankveil/connect/edge_list.h"
#include "rankveil/graph/verify.h"

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
  auto made = anonymize_graph({.source = {.path = path("g.csv")},
                               .technique = {.name = "ia"},
                               .k = 5,
                               .output = path("p.csv")});
  ASSERT_TRUE(made) << made.error().message;
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

TEST_F(GraphOperations, ListRowsOfNineFields) {
  GraphEvaluateRequest request{.source = {.path = path("g.csv")}, .techniques = {"be"}};
  request.draws = 2;
  auto made = evaluate_graph(request);
  ASSERT_TRUE(made);
  Json rows = rows_json(made->evaluation);
  ASSERT_EQ(rows.as_array()->size(), 10U);  // five levels, two attacks
  for (const Json& row : *rows.as_array()) {
    EXPECT_EQ(row.as_object()->size(), 9U);
    EXPECT_TRUE(row.find("fu")->as_number());
  }
  EXPECT_TRUE(rows.as_array()->front().find("lambda1")->is_null());
}

}  // namespace
}  // namespace rankveil::api
