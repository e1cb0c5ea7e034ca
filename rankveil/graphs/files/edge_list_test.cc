#include "rankveil/graphs/files/edge_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rankveil/base/file.h"
#include "rankveil/graphs/files/node_attributes.h"

namespace rankveil::connect {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class GraphFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/rankveil_graph_files";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string file(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(write_text(path(name), text));
    return path(name);
  }
  std::string refusal(const std::string& name) const {
    auto read = read_graph({.path = path(name)});
    return read ? "" : read.error().message;
  }

 private:
  std::string folder_;
};

graph::NamedGraph triangle() { return *graph::parse_edge_list("10,20\n20,300\n300,10\n"); }

TEST_F(GraphFiles, AreReadAsTheyWereWritten) {
  for (const char* name : {"g.csv", "g.csv.gz", "g.parquet"}) {
    SCOPED_TRACE(name);
    auto named = triangle();
    auto written = write_graph(named.graph, named.names, path(name));
    ASSERT_TRUE(written) << written.error().message;
    auto read = read_graph({.path = path(name)});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->graph, named.graph);
    EXPECT_EQ(read->names, named.names);
  }
}

TEST_F(GraphFiles, AreReadFromSnapTextJsonAndSql) {
  file("snap.txt", "# Undirected graph\n# FromNodeId\tToNodeId\n10\t20\n20\t300\n300\t10\n");
  file("g.ndjson", "{\"a\":10,\"b\":20}\n{\"a\":20,\"b\":300}\n{\"a\":300,\"b\":10}\n");
  EXPECT_EQ(read_graph({.path = path("snap.txt")})->graph, triangle().graph);
  EXPECT_EQ(read_graph({.path = path("g.ndjson")})->graph, triangle().graph);
  auto sql = read_graph({.sql = "SELECT * FROM (VALUES (10, 20), (20, 300), (300, 10))"});
  ASSERT_TRUE(sql) << sql.error().message;
  EXPECT_EQ(sql->graph, triangle().graph);
}

TEST_F(GraphFiles, NameTheLineOrRowThatHoldsText) {
  file("g.csv", "u,v\n1,2\n2,bob\n");
  EXPECT_THAT(refusal("g.csv"), HasSubstr("g.csv: line 3: \"bob\" is not a node number"));
  file("g.ndjson", "{\"a\":1,\"b\":\"2\"}\n{\"a\":2,\"b\":\"bob\"}\n");
  EXPECT_THAT(refusal("g.ndjson"), HasSubstr("row 2: \"bob\""));
  file("h.ndjson", "{\"a\":1,\"b\":2}\n{\"a\":2}\n");
  EXPECT_THAT(refusal("h.ndjson"), HasSubstr("row 2 has no node number"));
}

TEST_F(GraphFiles, MayCallTheirNodesByTexts) {
  file("g.csv", "u,v\nanna,bob\nbob,cid\ncid,anna\n");
  file("g.ndjson",
       "{\"a\":\"anna\",\"b\":\"bob\"}\n{\"a\":\"bob\",\"b\":\"cid\"}\n"
       "{\"a\":\"cid\",\"b\":\"anna\"}\n");
  for (const char* name : {"g.csv", "g.ndjson"}) {
    SCOPED_TRACE(name);
    auto named = read_graph({.path = path(name)});
    ASSERT_TRUE(named) << named.error().message;
    EXPECT_EQ(named->graph, triangle().graph);
    EXPECT_EQ(named->texts, (std::vector<std::string>{"anna", "bob", "cid"}));
    ASSERT_TRUE(write_graph(named->graph, named->names, path("copy.csv"), named->texts));
    EXPECT_EQ(read_graph({.path = path("copy.csv")})->texts, named->texts);
    EXPECT_FALSE(write_graph(named->graph, named->names, path("copy.parquet"), named->texts));
  }
}

TEST_F(GraphFiles, AreRefusedWhenMissingEmptyOrDamaged) {
  EXPECT_THAT(refusal("none.csv"), HasSubstr("there is no such file"));
  file("empty.csv", "");
  EXPECT_THAT(refusal("empty.csv"), HasSubstr("no edges"));
  auto named = triangle();
  ASSERT_TRUE(write_graph(named.graph, named.names, path("g.csv.gz")));
  auto bytes = read_text(path("g.csv.gz"));
  file("cut.csv.gz", bytes->substr(0, bytes->size() - 10));
  EXPECT_THAT(refusal("cut.csv.gz"), HasSubstr("fetch it again"));
}

TEST_F(GraphFiles, AreWrittenUnderKnownEndingsOnly) {
  auto named = triangle();
  EXPECT_FALSE(write_graph(named.graph, named.names, path("g.xlsx")));
  EXPECT_FALSE(std::filesystem::exists(path("g.xlsx")));
}

TEST_F(GraphFiles, HaveAttributesOfTheirNodes) {
  file("people.csv", "id,age,city,sex\n20,30,Lyon,f\n10,20,Paris,m\n300,40,Rome,f\n7,1,Rome,f\n");
  file("city.csv", "Lyon,France,*\nParis,France,*\nRome,Italy,*\n");
  auto read = read_node_attributes({.path = path("people.csv")}, triangle().names,
                                   {{"city", path("city.csv")}});
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->numeric.size(), 1U);
  EXPECT_THAT(read->numeric[0].values, ElementsAre(20, 30, 40));
  ASSERT_EQ(read->categorical.size(), 2U);
  const auto& city = read->categorical[0];
  EXPECT_EQ(city.hierarchy.height(city.hierarchy.join(city.values[0], city.values[1])), 1U);
  EXPECT_EQ(city.hierarchy.height(city.hierarchy.join(city.values[0], city.values[2])), 2U);
  EXPECT_EQ(read->categorical[1].hierarchy.height(), 1U);
}

TEST_F(GraphFiles, RefuseAttributesThatDoNotFit) {
  auto wrong = [&](const std::string& text, const std::vector<HierarchyFile>& trees = {}) {
    auto read = read_node_attributes({.path = file("p.csv", text)}, triangle().names, trees);
    return read ? "" : read.error().message;
  };
  file("city.csv", "Lyon,France,*\n");
  EXPECT_THAT(wrong("id,age\n10,1\n20,2\n"), HasSubstr("node 300 has no row"));
  EXPECT_THAT(wrong("id,age\n10,1\n20,2\n300,3\n10,4\n"), HasSubstr("node 10 has two rows"));
  EXPECT_THAT(wrong("id,age\n10,1\n20,\n300,3\n"), HasSubstr("node 20 has no value of age"));
  EXPECT_THAT(wrong("id,age\nbob,1\n"), HasSubstr("\"bob\" is not a node number"));
  EXPECT_THAT(wrong("id,c\n10,Lyon\n20,Rome\n300,Lyon\n", {{"c", path("city.csv")}}),
              HasSubstr("\"Rome\" is not in the hierarchy"));
  EXPECT_THAT(wrong("id,c\n10,1\n20,2\n300,3\n", {{"d", path("city.csv")}}),
              HasSubstr("no column \"d\""));
}

}  // namespace
}  // namespace rankveil::connect
