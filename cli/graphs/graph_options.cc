#include "cli/graphs/graph_options.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <charconv>

namespace rankveil::cli {

namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

template <typename Number>
Status parse(const std::string& text, const char* kind, Number& target) {
  Number number{};
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || text.empty()) {
    return wrong_use(fmt::format("\"{}\" is not {}", text, kind));
  }
  target = number;
  return {};
}

template <typename Number>
Options::Take take_list(const char* kind, std::vector<Number>& target) {
  return [kind, &target](const std::string& text) {
    std::vector<Number> numbers;
    for (const std::string& part : split(text)) {
      if (auto taken = parse(part, kind, numbers.emplace_back()); !taken) return taken;
    }
    target = std::move(numbers);
    return Status{};
  };
}

template <typename Value>
std::string with_default(const std::string& help, const std::vector<Value>& values) {
  return fmt::format("{} (default {})", help, fmt::join(values, ","));
}

}  // namespace

void add_graph_source(Options& options, connect::Source& source) {
  options.positional("EDGES",
                     "an edge list, two node numbers or names a line: .csv, .tsv, .txt, .mtx (also "
                     ".gz), .parquet, "
                     ".json, or a DuckDB file",
                     source.path, Need::Optional);
  options.section("Source");
  options.text("--sql", "SELECT", "the edges are the first two columns of this query", source.sql);
  options.text("--table", "NAME", "the table of a DuckDB file", source.table);
}

Status check_graph_source(const connect::Source& source) {
  if (source.path.empty() && source.sql.empty()) {
    return wrong_use("a graph is needed: an edge list, or --sql with a SELECT");
  }
  if (!source.table.empty() && !source.sql.empty()) {
    return wrong_use("--table and --sql exclude each other");
  }
  return {};
}

void add_technique_options(Options& options, api::GraphTechnique& technique) {
  options.text("--grouping", "NAME", "ia: optimal or greedy groups of degrees (default optimal)",
               technique.grouping);
  options.text("--editing", "NAME",
               "ia: add-delete, or supergraph, which only adds edges (default add-delete)",
               technique.editing);
  options.number("--probes", "N", "ia: how often supergraph may try again", technique.probes, 0,
                 10'000);
  options.text("--form", "NAME", "be: greedy, balanced, or similar, which is ours (default greedy)",
               technique.form);
  options.number("--window", "N", "be: how many users are looked at for a place", technique.window);
}

void add_real(Options& options, const std::string& name, const std::string& value,
              const std::string& help, double& target) {
  options.once(name, value, fmt::format("{} (default {:g})", help, target),
               [&target](const std::string& text) { return parse(text, "a number", target); });
}

void add_list(Options& options, const std::string& name, const std::string& value,
              const std::string& help, std::vector<std::string>& target) {
  options.once(name, value, with_default(help, target), [&target](const std::string& text) {
    target = split(text);
    return Status{};
  });
}

void add_list(Options& options, const std::string& name, const std::string& value,
              const std::string& help, std::vector<std::uint32_t>& target) {
  options.once(name, value, with_default(help, target), take_list("a whole number", target));
}

void add_list(Options& options, const std::string& name, const std::string& value,
              const std::string& help, std::vector<double>& target) {
  options.once(name, value, with_default(help, target), take_list("a number", target));
}

}  // namespace rankveil::cli
