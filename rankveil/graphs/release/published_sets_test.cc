#include "rankveil/graphs/release/published_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/graphs/edge_list.h"
#include "rankveil/graphs/testing/toy_graphs.h"

namespace rankveil::graph {
namespace {

using testing::HasSubstr;

// Numbers that are not places, and ascend.
std::vector<std::uint64_t> spread_names(const Graph& graph) {
  std::vector<std::uint64_t> names;
  for (Node node = 0; node < graph.nodes(); ++node) names.push_back(7 * node + 3);
  return names;
}

TEST(PublishedSets, GiveBackWhoHidesAmongWhom) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto graph = std::make_shared<const Graph>(random_graph(rng, 60));
    auto names = spread_names(*graph);
    for (Technique technique : {Technique::Ca, Technique::Be, Technique::Random}) {
      auto made = anonymize(graph, {.technique = technique, .k = 3, .seed = seed});
      if (!made) continue;  // a graph of two
      auto read = read_published_sets(graph, names, cloaked_sets_text(*made, names));
      ASSERT_TRUE(read) << read.error().message;
      EXPECT_EQ(read->k, made->sets.smallest());
      EXPECT_EQ(read->graph, graph);
      ASSERT_EQ(read->sets.size(), made->sets.size());
      for (Node node = 0; node < graph->nodes(); ++node) {
        EXPECT_EQ(read->sets.set_of(node), made->sets.set_of(node));
      }
    }
  }
}

class Refused : public testing::Test {
 protected:
  // A ring of six: 0-1-2-3-4-5-0.
  Refused() {
    EdgeListReader reader;
    for (std::uint64_t i = 0; i < 6; ++i) reader.add(i, (i + 1) % 6);
    auto named = std::move(reader).finish();
    names_ = named->names;
    graph_ = std::make_shared<const Graph>(std::move(named->graph));
  }
  std::string refusal(const std::string& text) const {
    auto read = read_published_sets(graph_, names_, text);
    return read ? "" : read.error().message;
  }
  std::shared_ptr<const Graph> graph_;
  std::vector<std::uint64_t> names_;
  const std::string first_ = R"({"set":0,"users":[0,2,4],"lists":[[1,3],[1,5],[3,5]]})"
                             "\n";
  const std::string second_ = R"({"set":1,"users":[1,3,5],"lists":[[0,2],[0,4],[2,4]]})"
                              "\n";
};

TEST_F(Refused, AreSetsThatAreNotOfTheGraph) {
  EXPECT_EQ(refusal(first_ + second_), "");
  EXPECT_THAT(refusal(first_), HasSubstr("user 1 is in no set"));
  EXPECT_THAT(refusal(first_ + second_ + first_),
              HasSubstr("line 3: user 0 is also in the set of line 1"));
  EXPECT_THAT(refusal(R"({"users":[0,9],"lists":[[1],[2]]})"),
              HasSubstr("line 1: user 9 is not in"));
  EXPECT_THAT(refusal(R"({"users":[0,2],"lists":[[1,3],[2,5]]})"),
              HasSubstr("the lists are not those"));
  EXPECT_THAT(refusal(R"({"users":[0,2],"lists":[[1,3]]})"), HasSubstr("the lists are not those"));
}

TEST_F(Refused, AreLinesThatAreNoSets) {
  EXPECT_THAT(refusal("set,size\n"), HasSubstr("line 1: it is"));
  EXPECT_THAT(refusal("{}"), HasSubstr("it is no set"));
  EXPECT_THAT(refusal(R"({"users":[],"lists":[]})"), HasSubstr("the set is empty"));
  EXPECT_THAT(refusal(R"({"users":["a"],"lists":[[]]})"), HasSubstr("a user must be a whole"));
  EXPECT_THAT(refusal(R"({"users":[-1],"lists":[[]]})"), HasSubstr("a user must be a whole"));
  EXPECT_THAT(refusal(R"({"users":[0],"lists":[3]})"), HasSubstr("a list of users is missing"));
  EXPECT_THAT(refusal(""), HasSubstr("user 0 is in no set"));
}

}  // namespace
}  // namespace rankveil::graph
