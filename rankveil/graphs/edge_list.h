// Edge lists: text with two node numbers a line, and what is odd about them.
//
//   EdgeListReader reader;
//   if (auto fed = reader.feed(text); !fed) return fed.error();   // as often as there is text
//   auto named = std::move(reader).finish();
//
// A line holds two whole numbers with a comma, tab, semicolon or blanks between them; what stands
// behind them is left alone. Lines that start with # or % are comments. The first line that is
// neither may name the columns. Anything else is refused with the number of its line. A Matrix
// Market file (.mtx: its first line says so) is the same behind a line with its sizes.
//
// Where the first line has two texts and the second one at least, all nodes are called by texts:
// what stands between tabs, else commas, else semicolons, else blanks. The first line then names
// the columns if neither of its names comes again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/graphs/graph.h"

namespace rankveil::graph {

// How an edge list says that two people are friends.
enum class Direction {
  Once,      // every pair once
  BothWays,  // every pair in both directions
  Mixed,     // some pairs in both, some in one: perhaps a directed graph
};
std::string_view name_of(Direction direction);

// What an edge list held that the graph does not.
struct EdgeListReport {
  std::uint64_t entries = 0;     // lines or rows with an edge
  std::uint64_t self_loops = 0;  // left out
  std::uint64_t repeats = 0;     // the same two numbers in the same order again; left out
  std::uint64_t both_ways = 0;   // pairs that were said in both directions
  Direction direction = Direction::Once;
};

template <typename Field>
void describe(Field& field, EdgeListReport& list) {
  field("entries", list.entries, "lines or rows with an edge");
  field("self_loops", list.self_loops, "left out: edges from a node to itself");
  field("repeats", list.repeats, "left out: lines said before");
  field("both_ways", list.both_ways, "pairs that were listed in both directions");
  field("direction", name_of(list.direction), "`\"once\"`, `\"both-ways\"` or `\"mixed\"`");
}

// Sentences about what was left out or looks like a directed graph; none when all is well.
std::vector<std::string> warnings_of(const EdgeListReport& report);

// What nodes are called that have texts for names, in the order of nodes; empty: they have numbers.
using NodeTexts = std::vector<std::string>;

// A graph whose nodes are called by the numbers they had. Nodes are in the order of their numbers.
struct NamedGraph {
  Graph graph;
  std::vector<std::uint64_t> names;  // one a node; of texts, their places
  NodeTexts texts = {};
  EdgeListReport report;
};

class EdgeListReader {
 public:
  // Any piece of the text; pieces may end inside a line.
  Status feed(std::string_view text);
  // One edge that does not come from text.
  void add(std::uint64_t from, std::uint64_t to) { pairs_.emplace_back(from, to); }
  Status add(std::string_view from, std::string_view to);
  // Refuses a list without edges.
  Result<NamedGraph> finish() &&;

 private:
  Status take(std::string_view line);
  Status take_texts(std::string_view line);
  void begin_texts();
  std::uint64_t number_of(std::string_view text);
  Status begin_matrix(std::string_view line);
  Status take_sizes(std::string_view line);
  std::string rest_;  // a line whose end has not come yet
  std::uint64_t line_ = 0;
  bool may_be_header_ = true;
  // Of nodes that are called by texts: the line that may name the columns, and each text's number.
  bool has_texts_ = false;
  std::string first_line_;
  std::unordered_map<std::string, std::uint64_t> number_of_;
  enum class Matrix { None, Begun, Sized } matrix_ = Matrix::None;
  std::uint64_t entries_told_ = 0;  // of a matrix
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_;
};

// A whole number, perhaps in double quotes.
Result<std::uint64_t> parse_node(std::string_view text);

// All of a text at once.
Result<NamedGraph> parse_edge_list(std::string_view text);

// "u,v", then each edge once, by the names of its ends.
std::string edge_list_text(const Graph& graph, const std::vector<std::uint64_t>& names,
                           const NodeTexts& texts = {});

}  // namespace rankveil::graph
