#include "rankveil/graphs/edge_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "rankveil/base/format.h"

namespace rankveil::graph {

namespace {

using Pair = std::pair<std::uint64_t, std::uint64_t>;

constexpr std::size_t longest_line = 1 << 20;  // beyond it a file is no edge list

constexpr std::string_view matrix_market = "%%MatrixMarket";

bool separates(char c) { return c == ',' || c == '\t' || c == ' ' || c == ';'; }

// Cuts the next field off `line`; empty when there is none.
std::string_view next_field(std::string_view& line) {
  std::size_t start = 0;
  while (start < line.size() && separates(line[start])) ++start;
  std::size_t end = start;
  while (end < line.size() && !separates(line[end])) ++end;
  auto field = line.substr(start, end - start);
  line.remove_prefix(end);
  return field;
}

// What is wrong with a line, shown so that it cannot spoil a screen.
std::string shown(std::string_view text) {
  std::string clean(text.substr(0, 40));
  for (char& c : clean) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return text.size() > 40 ? clean + "..." : clean;
}

bool dense(const std::vector<std::uint64_t>& names) { return names.back() == names.size() - 1; }

std::vector<std::uint64_t> distinct_names(const std::vector<Pair>& pairs) {
  std::uint64_t most = 0;
  for (auto [from, to] : pairs) most = std::max({most, from, to});
  std::vector<std::uint64_t> names;
  if (most < 8 * pairs.size() + 1024) {  // a mark per number is cheaper than sorting
    std::vector<bool> seen(most + 1, false);
    for (auto [from, to] : pairs) seen[from] = seen[to] = true;
    for (std::uint64_t name = 0; name <= most; ++name) {
      if (seen[name]) names.push_back(name);
    }
    return names;
  }
  names.reserve(2 * pairs.size());
  for (auto [from, to] : pairs) names.push_back(from), names.push_back(to);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  names.shrink_to_fit();
  return names;
}

std::vector<Edge> numbered(const std::vector<Pair>& pairs,
                           const std::vector<std::uint64_t>& names) {
  std::vector<Edge> edges;
  edges.reserve(pairs.size());
  auto number = [&](std::uint64_t name) {
    if (dense(names)) return static_cast<Node>(name);
    return static_cast<Node>(std::lower_bound(names.begin(), names.end(), name) - names.begin());
  };
  for (auto [from, to] : pairs) edges.emplace_back(number(from), number(to));
  return edges;
}

// Lists of who names whom, sorted, in two passes of counting.
struct Directed {
  std::vector<std::uint64_t> offsets;
  std::vector<Node> targets;
};

Directed directed_lists(Node nodes, const std::vector<Edge>& edges) {
  Directed lists{std::vector<std::uint64_t>(nodes + 1, 0), std::vector<Node>(edges.size())};
  for (auto [from, to] : edges) ++lists.offsets[from + 1];
  for (Node node = 0; node < nodes; ++node) lists.offsets[node + 1] += lists.offsets[node];
  auto places = lists.offsets;
  for (auto [from, to] : edges) lists.targets[places[from]++] = to;
  for (Node node = 0; node < nodes; ++node) {
    std::sort(lists.targets.begin() + static_cast<std::ptrdiff_t>(lists.offsets[node]),
              lists.targets.begin() + static_cast<std::ptrdiff_t>(lists.offsets[node + 1]));
  }
  return lists;
}

EdgeListReport describe(const Graph& graph, const std::vector<Edge>& edges) {
  EdgeListReport report;
  report.entries = edges.size();
  auto lists = directed_lists(graph.nodes(), edges);
  std::uint64_t distinct = 0;
  for (Node node = 0; node < graph.nodes(); ++node) {
    for (auto i = lists.offsets[node]; i < lists.offsets[node + 1]; ++i) {
      bool loop = lists.targets[i] == node;
      bool again = i > lists.offsets[node] && lists.targets[i] == lists.targets[i - 1];
      report.self_loops += loop ? 1 : 0;
      report.repeats += !loop && again ? 1 : 0;
      distinct += !loop && !again ? 1 : 0;
    }
  }
  report.both_ways = distinct - graph.edges();
  if (report.both_ways == graph.edges()) {
    report.direction = Direction::BothWays;
  } else if (report.both_ways > 0) {
    report.direction = Direction::Mixed;
  }
  return report;
}

}  // namespace

std::string_view name_of(Direction direction) {
  switch (direction) {
    case Direction::Once:
      return "once";
    case Direction::BothWays:
      return "both-ways";
    case Direction::Mixed:
      return "mixed";
  }
  return "";
}

std::vector<std::string> warnings_of(const EdgeListReport& report) {
  std::vector<std::string> sentences;
  if (report.self_loops > 0) {
    sentences.push_back(fmt::format("{} left out: nobody is his own friend",
                                    counted(report.self_loops, "self-loop")));
  }
  if (report.repeats > 0) {
    sentences.push_back(fmt::format("{} left out: the same edge was there before",
                                    counted(report.repeats, "line")));
  }
  if (report.direction == Direction::Mixed) {
    sentences.push_back(fmt::format(
        "{} in both directions and the rest in one; if the list is directed, know that "
        "every edge counts both ways here",
        report.both_ways == 1 ? "1 edge stands" : grouped(report.both_ways) + " edges stand"));
  }
  return sentences;
}

Result<std::uint64_t> parse_node(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  std::uint64_t number = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || text.empty()) {
    return bad_input(
        fmt::format("\"{}\" is not a node number; an edge list has two whole numbers "
                    "a line, as in 3,17",
                    shown(text)));
  }
  return number;
}

Status EdgeListReader::feed(std::string_view text) {
  while (!text.empty()) {
    auto end = text.find('\n');
    auto piece = text.substr(0, end);
    if (end == std::string_view::npos) {
      rest_ += piece;
      if (rest_.size() <= longest_line) return {};
      return bad_input(fmt::format("line {} is longer than a megabyte; this is no edge list",
                                   grouped(line_ + 1)));
    }
    if (rest_.empty()) {
      if (auto taken = take(piece); !taken) return taken;
    } else {
      rest_ += piece;
      if (auto taken = take(rest_); !taken) return taken;
      rest_.clear();
    }
    text.remove_prefix(end + 1);
  }
  return {};
}

Status EdgeListReader::take(std::string_view line) {
  ++line_;
  if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line_ == 1 && line.starts_with(matrix_market)) return begin_matrix(line);
  auto rest = line;
  auto first = next_field(rest);
  if (first.empty() || first.front() == '#' || first.front() == '%') return {};
  if (matrix_ == Matrix::Begun) return take_sizes(line);
  if (has_texts_) return take_texts(line);
  auto second = next_field(rest);
  if (second.empty()) {
    return bad_input(
        fmt::format("line {} has \"{}\" and nothing behind it; an edge list has two "
                    "whole numbers a line, as in 3,17",
                    line_, shown(line)));
  }
  auto from = parse_node(first);
  auto to = parse_node(second);
  bool first_line = std::exchange(may_be_header_, false);
  if (first_line && !from && !to) {
    first_line_ = line;
    return {};
  }
  if (pairs_.empty() && !first_line_.empty() && (!from || !to)) {
    has_texts_ = true;
    return take_texts(line);
  }
  for (const auto* end : {&from, &to}) {
    if (!*end) return bad_input(fmt::format("line {}: {}", line_, end->error().message));
  }
  pairs_.emplace_back(*from, *to);
  return {};
}

namespace {

// Two names, and perhaps more fields; quotes may stand around a name.
std::pair<std::string_view, std::string_view> two_texts(std::string_view line) {
  constexpr std::string_view marks = "\t,; ";
  auto mark =
      std::ranges::find_if(marks, [&](char c) { return line.find(c) != std::string_view::npos; });
  auto cut = [&] {
    while (mark != marks.end() && *mark == ' ' && line.starts_with(' ')) line.remove_prefix(1);
    bool quoted = line.starts_with('"');
    std::size_t end = quoted ? line.find('"', 1) : 0;
    if (end == std::string_view::npos) end = 0;
    end = mark == marks.end() ? line.size() : std::min(line.size(), line.find(*mark, end));
    std::string_view field = line.substr(0, end);
    line.remove_prefix(std::min(line.size(), end + 1));
    while (field.starts_with(' ')) field.remove_prefix(1);
    while (field.ends_with(' ')) field.remove_suffix(1);
    if (quoted && field.size() >= 2 && field.ends_with('"')) {
      field = field.substr(1, field.size() - 2);
    }
    return field;
  };
  std::string_view from = cut();
  return {from, cut()};
}

}  // namespace

std::uint64_t EdgeListReader::number_of(std::string_view text) {
  return number_of_.try_emplace(std::string(text), number_of_.size()).first->second;
}

Status EdgeListReader::add(std::string_view from, std::string_view to) {
  has_texts_ = true;
  if (from.empty() || to.empty()) {
    return bad_input("a node has no name; fill it in or leave the edge out");
  }
  std::uint64_t one = number_of(from);
  pairs_.emplace_back(one, number_of(to));
  return {};
}

Status EdgeListReader::take_texts(std::string_view line) {
  auto [from, to] = two_texts(line);
  if (auto added = add(from, to); !added) {
    return bad_input(fmt::format("line {}: {}", line_, added.error().message));
  }
  return {};
}

// Once all names are known: whether the first line was an edge, and texts in their order.
void EdgeListReader::begin_texts() {
  if (!has_texts_) return;
  auto [from, to] = two_texts(first_line_);
  bool comes_again = number_of_.contains(std::string(from)) || number_of_.contains(std::string(to));
  if (!first_line_.empty() && comes_again) (void)add(from, to);
}

// "%%MatrixMarket matrix coordinate pattern symmetric"
Status EdgeListReader::begin_matrix(std::string_view line) {
  matrix_ = Matrix::Begun;
  may_be_header_ = false;
  if (line.find(" coordinate") != std::string_view::npos) return {};
  return bad_input(fmt::format(
      "line 1 is \"{}\", a matrix with a number for every pair; a graph needs one that lists its "
      "entries, \"%%MatrixMarket matrix coordinate ...\"",
      shown(line)));
}

// Rows, columns and how many entries follow.
Status EdgeListReader::take_sizes(std::string_view line) {
  matrix_ = Matrix::Sized;
  std::vector<std::uint64_t> sizes;
  for (std::string_view field = next_field(line); !field.empty(); field = next_field(line)) {
    auto size = parse_node(field);
    if (!size) break;
    sizes.push_back(*size);
  }
  if (sizes.size() != 3) {
    return bad_input(fmt::format(
        "line {} must have three whole numbers, the matrix's rows, columns and entries", line_));
  }
  entries_told_ = sizes[2];
  if (sizes[0] == sizes[1]) return {};
  return bad_input(fmt::format(
      "line {} says {} rows and {} columns; a friendship graph has the same people in both, so its "
      "matrix is square",
      line_, grouped(sizes[0]), grouped(sizes[1])));
}

namespace {

// The texts sorted, and pairs that go by their places in that order.
NodeTexts in_order(const std::unordered_map<std::string, std::uint64_t>& number_of,
                   std::vector<Pair>& pairs) {
  NodeTexts texts;
  texts.reserve(number_of.size());
  for (const auto& [text, number] : number_of) texts.push_back(text);
  std::ranges::sort(texts);
  std::vector<std::uint64_t> place_of(texts.size());
  for (std::size_t place = 0; place < texts.size(); ++place) {
    place_of[number_of.at(texts[place])] = place;
  }
  if (texts.empty()) return texts;
  for (auto& [from, to] : pairs) from = place_of[from], to = place_of[to];
  return texts;
}

// As CSV has it.
std::string quoted_name(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace

Result<NamedGraph> EdgeListReader::finish() && {
  if (!rest_.empty()) {
    if (auto taken = take(std::exchange(rest_, {})); !taken) return taken.error();
  }
  if (matrix_ != Matrix::None && pairs_.size() != entries_told_) {
    return bad_input(fmt::format("it has {} and says that it has {}; fetch it again",
                                 counted(pairs_.size(), "edge"), grouped(entries_told_)));
  }
  begin_texts();
  NodeTexts texts = in_order(number_of_, pairs_);
  if (pairs_.empty()) return bad_input("there are no edges in it; a graph needs at least one");
  auto names = distinct_names(pairs_);
  if (names.size() > UINT32_MAX) return bad_input("more than 4,294,967,295 nodes are too many");
  auto edges = numbered(pairs_, names);
  pairs_ = {};  // large, and of no more use
  NamedGraph named;
  named.graph = Graph::from_edges(static_cast<Node>(names.size()), edges);
  named.names = std::move(names);
  named.texts = std::move(texts);
  named.report = describe(named.graph, edges);
  if (named.graph.edges() == 0)
    return bad_input("all its edges are self-loops; nobody has a friend");
  return named;
}

Result<NamedGraph> parse_edge_list(std::string_view text) {
  EdgeListReader reader;
  if (auto fed = reader.feed(text); !fed) return fed.error();
  return std::move(reader).finish();
}

std::string edge_list_text(const Graph& graph, const std::vector<std::uint64_t>& names,
                           const NodeTexts& texts) {
  std::string text = "u,v\n";
  for (Node node = 0; node < graph.nodes(); ++node) {
    for (Node other : graph.friends(node)) {
      if (node >= other) continue;
      if (texts.empty()) {
        fmt::format_to(std::back_inserter(text), "{},{}\n", names[node], names[other]);
      } else {
        text += quoted_name(texts[node]) + ',' + quoted_name(texts[other]) + '\n';
      }
    }
  }
  return text;
}

}  // namespace rankveil::graph
