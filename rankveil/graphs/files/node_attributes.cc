#include "rankveil/graphs/files/node_attributes.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "rankveil/base/file.h"
#include "rankveil/connect/relation/relation.h"
#include "rankveil/connect/relation/telling.h"
#include "rankveil/graphs/edge_list.h"

namespace rankveil::connect {

namespace {

using Texts = std::vector<std::string>;

std::optional<double> number_of(const std::string& text) {
  double number = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool whole = problem == std::errc() && end == text.data() + text.size() && !text.empty();
  return whole && number - number == 0 ? std::optional(number) : std::nullopt;
}

Result<graph::Hierarchy> read_hierarchy(const std::string& path) {
  auto text = read_text(path);
  if (!text) return text.error();
  std::vector<Texts> paths;
  std::string_view rest = *text;
  while (!rest.empty()) {
    auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) continue;
    Texts steps(1);
    for (char c : line) {
      if (c == ',' || c == ';') {
        steps.emplace_back();
      } else {
        steps.back() += c;
      }
    }
    paths.push_back(std::move(steps));
  }
  auto tree = graph::Hierarchy::from_paths(paths);
  if (!tree) return bad_input(fmt::format("{}: {}", path, tree.error().message));
  return tree;
}

// The columns behind the first, one text a node.
struct NodeTable {
  Texts columns;
  std::vector<Texts> values;
};

// What nodes are called: numbers, or, where there are any, texts.
struct NodeNames {
  const std::vector<std::uint64_t>& numbers;
  const Texts& texts;

  std::string of(std::size_t node) const {
    return texts.empty() ? std::to_string(numbers[node]) : texts[node];
  }

  // Nothing: it is no node of the graph.
  Result<std::optional<std::size_t>> find(std::string_view name) const {
    if (!texts.empty()) {
      auto place = std::ranges::lower_bound(texts, name, std::less<std::string_view>());
      bool found = place != texts.end() && *place == name;
      if (!found) return std::optional<std::size_t>();
      return std::optional(static_cast<std::size_t>(place - texts.begin()));
    }
    auto number = graph::parse_node(name);
    if (!number) return number.error();
    auto place = std::ranges::lower_bound(numbers, *number);
    if (place == numbers.end() || *place != *number) return std::optional<std::size_t>();
    return std::optional(static_cast<std::size_t>(place - numbers.begin()));
  }
};

Status take_rows(const Chunk& chunk, const NodeNames& names, std::vector<bool>& seen,
                 NodeTable& table) {
  auto ids = chunk.texts(0);
  for (std::size_t row = 0; row < chunk.rows(); ++row) {
    auto found = names.find(chunk.present(0)[row] ? ids[row].view() : "");
    if (!found) return found.error();
    if (!*found) continue;
    std::size_t node = **found;
    std::string id = names.of(node);
    if (seen[node]) return bad_input(fmt::format("node {} has two rows; leave one", id));
    seen[node] = true;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      if (chunk.present(column + 1)[row]) {
        table.values[column][node] = chunk.texts(column + 1)[row].view();
      }
      if (table.values[column][node].empty()) {
        return bad_input(
            fmt::format("node {} has no value of {}; fill it in", id, table.columns[column]));
      }
    }
  }
  return {};
}

Result<NodeTable> read_rows(const Source& source, const NodeNames& names) {
  auto session = Session::open();
  if (!session) return session.error();
  auto relation = open_relation(*session, source);
  if (!relation) return relation.error();
  if (relation->columns.size() < 2) {
    return bad_input("there is one column; give node numbers and at least one attribute");
  }
  NodeTable table;
  std::string columns = relation->columns[0].text;
  for (std::size_t i = 1; i < relation->columns.size(); ++i) {
    table.columns.push_back(relation->columns[i].name);
    columns += ", " + relation->columns[i].text;
  }
  table.values.assign(table.columns.size(), Texts(names.numbers.size()));
  std::vector<bool> seen(names.numbers.size(), false);
  auto read =
      session->stream(fmt::format("SELECT {} FROM {}", columns, relation->from),
                      [&](const Chunk& chunk) { return take_rows(chunk, names, seen, table); });
  if (!read) return read.error();
  auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing != seen.end()) {
    return bad_input(fmt::format("node {} has no row; every node of the graph needs one",
                                 names.of(static_cast<std::size_t>(missing - seen.begin()))));
  }
  return table;
}

Status add_categories(const std::string& name, const Texts& texts, graph::Hierarchy tree,
                      graph::Attributes& attributes) {
  graph::CategoricalAttribute attribute{name, std::move(tree), {}};
  std::map<std::string, std::uint32_t> known;
  for (const std::string& text : texts) {
    auto place = known.find(text);
    if (place == known.end()) {
      auto leaf = attribute.hierarchy.leaf(text);
      if (!leaf) return bad_input(fmt::format("{}: {}", name, leaf.error().message));
      place = known.emplace(text, *leaf).first;
    }
    attribute.values.push_back(place->second);
  }
  attributes.categorical.push_back(std::move(attribute));
  return {};
}

// Adds the column as numbers; false when one of its texts is none.
bool add_numbers(const std::string& name, const Texts& texts, graph::Attributes& attributes) {
  graph::NumericAttribute attribute{name, {}};
  for (const std::string& text : texts) {
    auto number = number_of(text);
    if (!number) return false;
    attribute.values.push_back(*number);
  }
  attributes.numeric.push_back(std::move(attribute));
  return true;
}

Status add_column(const std::string& name, const Texts& texts, const std::string& hierarchy,
                  graph::Attributes& attributes) {
  if (!hierarchy.empty()) {
    auto tree = read_hierarchy(hierarchy);
    if (!tree) return tree.error();
    return add_categories(name, texts, std::move(*tree), attributes);
  }
  if (add_numbers(name, texts, attributes)) return {};
  std::set<std::string> values(texts.begin(), texts.end());
  return add_categories(name, texts, graph::Hierarchy::flat({values.begin(), values.end()}),
                        attributes);
}

}  // namespace

Result<graph::Attributes> read_node_attributes(const Source& source,
                                               const std::vector<std::uint64_t>& names,
                                               const std::vector<HierarchyFile>& hierarchies,
                                               const std::vector<std::string>& texts) {
  auto table = read_rows(source, {names, texts});
  if (!table) return in_source(source, table.error());
  for (const auto& [column, path] : hierarchies) {
    if (std::ranges::find(table->columns, column) == table->columns.end()) {
      return wrong_use(
          fmt::format("{} has no column \"{}\" for the hierarchy {}", source.name(), column, path));
    }
  }
  graph::Attributes attributes;
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    std::string hierarchy;
    for (const auto& [column, path] : hierarchies) {
      if (column == table->columns[i]) hierarchy = path;
    }
    auto added = add_column(table->columns[i], table->values[i], hierarchy, attributes);
    if (!added) return in_source(source, added.error());
  }
  return attributes;
}

}  // namespace rankveil::connect
