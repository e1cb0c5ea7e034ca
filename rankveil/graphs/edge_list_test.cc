#include "rankveil/graphs/edge_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string refusal(std::string_view text) {
  auto parsed = parse_edge_list(text);
  return parsed ? "" : parsed.error().message;
}

TEST(EdgeList, KeepsTheNumbersPeopleHad) {
  auto named = parse_edge_list("u,v\n7,900\n900,18446744073709551615\n");
  ASSERT_TRUE(named);
  EXPECT_THAT(named->names, ElementsAre(7, 900, UINT64_MAX));
  EXPECT_EQ(edges_of(named->graph), (std::vector<Edge>{{0, 1}, {1, 2}}));
}

TEST(EdgeList, TakesTabsBlanksSemicolonsQuotesAndComments) {
  for (const char* text : {"0,1\n1,2\n", "# Nodes: 3\n# FromNodeId\tToNodeId\n0\t1\n1\t2",
                           "% x\n0 1 5 77\n1 2 3 78\n", "from;to\r\n\"0\";\"1\"\r\n1;2\r\n",
                           "\xEF\xBB\xBF"
                           "0, 1\n\n1, 2\n"}) {
    SCOPED_TRACE(text);
    auto named = parse_edge_list(text);
    ASSERT_TRUE(named) << named.error().message;
    EXPECT_EQ(edges_of(named->graph), (std::vector<Edge>{{0, 1}, {1, 2}}));
    EXPECT_EQ(named->report.entries, 2U);
    EXPECT_THAT(warnings_of(named->report), IsEmpty());
  }
}

TEST(EdgeList, MayComeInPieces) {
  std::string text = "u,v\n10,11\n11,12\n12,130\n";
  for (std::size_t size = 1; size < text.size(); ++size) {
    EdgeListReader reader;
    for (std::size_t at = 0; at < text.size(); at += size) {
      ASSERT_TRUE(reader.feed(std::string_view(text).substr(at, size)));
    }
    auto named = std::move(reader).finish();
    ASSERT_TRUE(named);
    EXPECT_THAT(named->names, ElementsAre(10, 11, 12, 130));
  }
}

TEST(EdgeList, NodesMayBeCalledByTexts) {
  auto named = parse_edge_list("from,to\nBob Lee,Anna\nAnna,\"Cid, of Rome\"\n# so far\n7,Anna\n");
  ASSERT_TRUE(named) << named.error().message;
  EXPECT_THAT(named->texts, ElementsAre("7", "Anna", "Bob Lee", "Cid, of Rome"));
  EXPECT_THAT(named->names, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(named->graph.edges(), 3U);
  EXPECT_EQ(edge_list_text(named->graph, named->names, named->texts),
            "u,v\n7,Anna\nAnna,Bob Lee\nAnna,\"Cid, of Rome\"\n");
  auto again = parse_edge_list(edge_list_text(named->graph, named->names, named->texts));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->texts, named->texts) << "though a name of its first edge is a number";
}

// A first line is an edge where one of its names comes again.
TEST(EdgeList, AFirstLineOfTextsMayBeAnEdge) {
  auto tabs = parse_edge_list("Anna\tBob\nBob\tCid\n");
  ASSERT_TRUE(tabs) << tabs.error().message;
  EXPECT_EQ(tabs->graph.edges(), 2U);
  auto blanks = parse_edge_list("u v\nAnna  Bob\nBob Cid 3\n");
  ASSERT_TRUE(blanks) << blanks.error().message;
  EXPECT_THAT(blanks->texts, ElementsAre("Anna", "Bob", "Cid"));
  EXPECT_THAT(refusal("u,v\nAnna,Bob\nAnna\n"), HasSubstr("line 3: a node has no name"));
}

TEST(EdgeList, NamesTheLineThatHoldsText) {
  EXPECT_THAT(refusal("u,v\n1,2\n# so far\n3,bob\n"),
              HasSubstr("line 4: \"bob\" is not a node number"));
  EXPECT_THAT(refusal("1,2\nfrom,to\n"), HasSubstr("line 2: \"from\""));
  EXPECT_THAT(refusal("1,2\n1,-2\n"), HasSubstr("line 2: \"-2\""));
  EXPECT_THAT(refusal("1,2\n1.5,2\n"), HasSubstr("line 2: \"1.5\""));
  EXPECT_THAT(refusal("1,2\n3\n"), HasSubstr("line 2 has \"3\" and nothing behind it"));
  EXPECT_THAT(refusal("1,18446744073709551616\n"), HasSubstr("line 1"));
  EXPECT_THAT(refusal("1,2\n3,a\x1b[2J\n"), HasSubstr("a?[2J"));
}

TEST(EdgeList, MayBeAMatrixMarketFile) {
  std::string head = "%%MatrixMarket matrix coordinate pattern symmetric\n% made up\n";
  auto named = parse_edge_list(head + "\n4 4 3\n2 1\n3 1\n4 2\n");
  ASSERT_TRUE(named) << named.error().message;
  EXPECT_EQ(named->report.entries, 3U);
  EXPECT_EQ(named->report.self_loops, 0U);
  EXPECT_EQ(edge_list_text(named->graph, named->names), "u,v\n1,2\n1,3\n2,4\n");
  auto weighted =
      parse_edge_list("%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 0.5\n");
  ASSERT_TRUE(weighted) << weighted.error().message;
  EXPECT_EQ(weighted->graph.edges(), 1U);

  EXPECT_THAT(refusal(head + "4 4 3\n2 1\n"), HasSubstr("it has 1 edge and says that it has 3"));
  EXPECT_THAT(refusal(head + "4 5 1\n2 1\n"), HasSubstr("4 rows and 5 columns"));
  EXPECT_THAT(refusal(head + "4 4\n2 1\n"), HasSubstr("line 3 must have three whole numbers"));
  EXPECT_THAT(refusal("%%MatrixMarket matrix array real general\n2 2\n1\n"),
              HasSubstr("a matrix with a number for every pair"));
}

TEST(EdgeList, IsRefusedWhenEmpty) {
  EXPECT_THAT(refusal(""), HasSubstr("no edges"));
  EXPECT_THAT(refusal("u,v\n"), HasSubstr("no edges"));
  EXPECT_THAT(refusal("4,4\n"), HasSubstr("self-loops"));
}

TEST(EdgeList, ReportsLoopsRepeatsAndDirection) {
  auto mixed = parse_edge_list("0,1\n1,0\n1,2\n2,2\n1,2\n");
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->report.entries, 5U);
  EXPECT_EQ(mixed->report.self_loops, 1U);
  EXPECT_EQ(mixed->report.repeats, 1U);
  EXPECT_EQ(mixed->report.both_ways, 1U);
  EXPECT_EQ(mixed->report.direction, Direction::Mixed);
  EXPECT_EQ(warnings_of(mixed->report).size(), 3U);
  EXPECT_EQ(parse_edge_list("0,1\n1,0\n")->report.direction, Direction::BothWays);
  EXPECT_EQ(parse_edge_list("0,1\n1,2\n")->report.direction, Direction::Once);
}

TEST(EdgeList, IsWrittenAsItIsRead) {
  auto named = parse_edge_list("5,70\n70,6\n");
  ASSERT_TRUE(named);
  EXPECT_EQ(edge_list_text(named->graph, named->names), "u,v\n5,70\n6,70\n");
}

}  // namespace
}  // namespace rankveil::graph
