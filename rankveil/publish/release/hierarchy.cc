#include "rankveil/publish/release/hierarchy.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>

namespace rankveil::publish {

namespace {

// One line without its end; quotes may hold separators, but no line ends.
std::vector<std::string> fields_of(std::string_view line, char separator) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    bool doubled = quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"';
    if (doubled) {
      fields.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == separator && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

}  // namespace

Result<Hierarchy> Hierarchy::parse(std::string_view text, std::string_view source) {
  Hierarchy hierarchy;
  hierarchy.source_ = source;
  std::string_view first = text.substr(0, text.find('\n'));
  char separator = first.find(';') != std::string_view::npos ? ';' : ',';
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (auto added = hierarchy.add(fields_of(line, separator), number); !added) {
      return added.error();
    }
  }
  if (hierarchy.lines_.empty()) return bad_input(fmt::format("{} has no lines", source));
  return hierarchy;
}

Status Hierarchy::add(std::vector<std::string> line, std::size_t number) {
  auto refuse = [&](const std::string& why) {
    return bad_input(fmt::format("{}, line {}: {}", source_, number, why));
  };
  if (line.size() < 2) return refuse("a value and what it belongs to are needed");
  if (lines_.empty()) wider_.resize(line.size() - 1);
  if (line.size() != wider_.size() + 1) {
    return refuse(fmt::format("there are {} fields, and {} in the first line", line.size(),
                              wider_.size() + 1));
  }
  for (std::size_t level = 0; level + 1 < line.size(); ++level) {
    auto [known, fresh] = wider_[level].emplace(line[level], line[level + 1]);
    if (fresh || known->second == line[level + 1]) continue;
    return refuse(fmt::format("\"{}\" belongs to \"{}\", and to \"{}\" in an earlier line",
                              line[level], line[level + 1], known->second));
  }
  std::string value = line.front();
  if (!lines_.emplace(value, std::move(line)).second) {
    return refuse(fmt::format("\"{}\" has a line already", value));
  }
  return {};
}

std::string Hierarchy::common(std::span<const std::string> values) const {
  assert(!values.empty() && "somebody has a value");
  for (std::size_t level = 0; level <= wider_.size(); ++level) {
    const std::string& label = lines_.at(values.front())[level];
    bool shared = std::ranges::all_of(
        values, [&](const std::string& value) { return lines_.at(value)[level] == label; });
    if (shared) return label;
  }
  return "*";
}

bool Hierarchy::is_below(const std::string& value, const std::string& label) const {
  if (label == "*") return true;
  auto line = lines_.find(value);
  return line != lines_.end() && std::ranges::find(line->second, label) != line->second.end();
}

}  // namespace rankveil::publish
