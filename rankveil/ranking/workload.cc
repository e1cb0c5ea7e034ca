#include "rankveil/ranking/workload.h"

#include <fmt/core.h>

#include <charconv>
#include <optional>

namespace rankveil {

namespace {

constexpr std::uint64_t largest_count = 1'000'000'000'000;

Error at_line(std::string_view source, std::size_t line, const Error& error) {
  return {error.code, fmt::format("{}, line {}: {}", source, line, error.message)};
}

Result<WorkloadEntry> entry_from_json(const Schema& schema, const Json& json) {
  const Json* wishes = json.find("query");
  if (wishes == nullptr) {
    return bad_input("a line must look like {\"count\": 3, \"query\": {\"city\": \"Paris\"}}");
  }
  auto query = query_from_json(schema, *wishes);
  if (!query) return query.error();
  WorkloadEntry entry{std::move(*query), 1};
  for (const auto& [name, value] : *json.as_object()) {
    if (name == "query") continue;
    if (name != "count") return bad_input(fmt::format("\"{}\" is not known here", name));
    auto count = count_from_json(value);
    if (!count) return count.error();
    entry.count = *count;
  }
  return entry;
}

Result<WorkloadEntry> entry_from_line(const Schema& schema, std::string_view line) {
  auto json = parse_json(line);
  if (!json) return json.error();
  return entry_from_json(schema, *json);
}

Result<std::uint64_t> count_from_text(std::string_view text) {
  std::uint64_t count = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  bool whole = problem == std::errc() && end == text.data() + text.size();
  if (!whole || count < 1 || count > largest_count) {
    return bad_input(fmt::format("count \"{}\" is no whole number from 1 up", text));
  }
  return count;
}

Result<WorkloadEntry> entry_from_cells(const Schema& schema,
                                       const std::vector<std::string>& columns,
                                       const std::vector<std::string>& cells) {
  if (cells.size() != columns.size()) {
    return bad_input(fmt::format("{} cells do not fit {} columns", cells.size(), columns.size()));
  }
  WorkloadEntry entry{empty_query(schema), 1};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (cells[i].empty()) continue;
    if (columns[i] == "count" && !schema.find("count")) {
      auto count = count_from_text(cells[i]);
      if (!count) return count.error();
      entry.count = *count;
      continue;
    }
    auto added = add_values(schema, columns[i], cells[i], entry.query);
    if (!added) return added.error();
  }
  return entry;
}

}  // namespace

Result<std::uint64_t> count_from_json(const Json& json) {
  const auto* count = json.as_integer();
  if (count == nullptr || *count < 1 || static_cast<std::uint64_t>(*count) > largest_count) {
    return bad_input("\"count\" must be a whole number from 1 up");
  }
  return static_cast<std::uint64_t>(*count);
}

Result<Workload> parse_workload_lines(const Schema& schema, std::string_view text,
                                      std::string_view source) {
  Workload workload;
  for (std::size_t line = 1; !text.empty(); ++line) {
    std::string_view current = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), current.size() + 1));
    if (current.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto entry = entry_from_line(schema, current);
    if (!entry) return at_line(source, line, entry.error());
    workload.entries.push_back(std::move(*entry));
  }
  return workload;
}

Result<Workload> workload_from_cells(const Schema& schema, const std::vector<std::string>& columns,
                                     const std::vector<std::vector<std::string>>& cells,
                                     std::string_view source) {
  Workload workload;
  for (std::size_t row = 0; row < cells.size(); ++row) {
    auto entry = entry_from_cells(schema, columns, cells[row]);
    if (!entry) return at_line(source, row + 2, entry.error());  // line 1 is the header
    workload.entries.push_back(std::move(*entry));
  }
  return workload;
}

}  // namespace rankveil
