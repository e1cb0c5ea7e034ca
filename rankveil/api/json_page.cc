#include "rankveil/api/json_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace rankveil::api {

namespace {

constexpr std::array<std::string_view, 8> known_types = {"text",   "number", "whole", "bool",
                                                         "object", "list",   "null",  "any"};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split_at(std::string_view text, std::string_view between) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at != std::string_view::npos;) {
    std::size_t end = text.find(between, at);
    parts.push_back(trimmed(text.substr(at, end == std::string_view::npos ? end : end - at)));
    at = end == std::string_view::npos ? end : end + between.size();
  }
  return parts;
}

// "inspect-table" of "rankveil inspect, a table".
std::string name_of(std::string_view heading) {
  std::string name(heading.substr(std::string_view("rankveil").size()));
  for (std::string_view article : {", an ", ", a "}) {
    if (auto at = name.find(article); at != std::string::npos)
      name.replace(at, article.size(), " ");
  }
  std::string joined;
  for (char c : name) {
    bool dash = c == ' ' || c == '-';
    if (!dash) joined += c;
    if (dash && !joined.empty() && joined.back() != '-') joined += '-';
  }
  return joined;
}

Status set_types(std::string_view text, Shape& shape) {
  if (text.ends_with("?")) {
    shape.optional = true;
    text.remove_suffix(1);
  }
  if (text.starts_with("as ")) {
    shape.as = text.substr(3);
    return {};
  }
  for (std::string_view type : split_at(text, " or ")) {
    if (std::ranges::find(known_types, type) == known_types.end()) {
      return bad_input(fmt::format("there is no type \"{}\"", type));
    }
    shape.types.emplace_back(type);
  }
  return {};
}

// One row: the cells of fields and of types.
Status add_row(std::string_view fields, std::string_view types, Shape& shape) {
  std::vector<std::string_view> names = split_at(fields, ", ");
  std::vector<std::string_view> each = split_at(types, ", ");
  if (each.size() == 1) each.assign(names.size(), each.front());
  if (each.size() != names.size()) {
    return bad_input(
        fmt::format("{} has {} types for {} fields", fields, each.size(), names.size()));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string_view name = names[i];
    bool quoted = name.size() > 2 && name.front() == '`' && name.back() == '`';
    if (!quoted) return bad_input(fmt::format("{} is no field in backquotes", name));
    Shape& field = shape.at(name.substr(1, name.size() - 2));
    if (auto set = set_types(each[i], field); !set) return set;
  }
  return {};
}

}  // namespace

Shape& Shape::at(std::string_view path) {
  if (path.empty()) return *this;
  if (path.starts_with("[]")) {
    if (items.empty()) items.emplace_back();
    path.remove_prefix(2);
    if (path.starts_with(".")) path.remove_prefix(1);
    return items.front().at(path);
  }
  std::string_view name = path.substr(0, path.find_first_of(".["));
  std::string_view rest = path.substr(name.size());
  if (rest.starts_with(".")) rest.remove_prefix(1);
  if (name == "NAME") {
    if (named.empty()) named.emplace_back();
    return named.front().at(rest);
  }
  auto found = std::ranges::find(members, name, [](const auto& member) { return member.first; });
  if (found == members.end()) found = members.insert(found, {std::string(name), Shape{}});
  return found->second.at(rest);
}

Result<std::vector<ShapedOutput>> read_json_page(std::string_view page) {
  std::vector<ShapedOutput> outputs;
  std::size_t number = 0;
  for (std::string_view line : split_at(page, "\n")) {
    ++number;
    if (line.starts_with("## rankveil")) {
      std::string heading(line.substr(3));
      outputs.push_back({name_of(heading), heading, {}});
    }
    if (!line.starts_with("| `") || outputs.empty()) continue;
    std::vector<std::string_view> cells = split_at(line.substr(1), " |");
    Status added = cells.size() < 3 ? Status(bad_input("a row has no type"))
                                    : add_row(cells[0], cells[1], outputs.back().shape);
    if (!added) {
      return bad_input(fmt::format("json.md, line {}: {}", number, added.error().message));
    }
  }
  return outputs;
}

}  // namespace rankveil::api
