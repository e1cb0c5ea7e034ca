#include "rankveil/table/policy/policy_edit.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "rankveil/table/policy/policy.h"
#include "rankveil/table/toml/toml.h"
#include "rankveil/table/toml/toml_text.h"

namespace rankveil {

namespace {

// With their ends, so that joining them gives the text again.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

// Where a simple value that begins at `at` ends: strings may hold '#' and blanks.
std::size_t end_of_value(std::string_view line, std::size_t at) {
  if (at < line.size() && (line[at] == '"' || line[at] == '\'')) {
    char quote = line[at];
    for (++at; at < line.size() && line[at] != quote; ++at) {
      if (quote == '"' && line[at] == '\\') ++at;
    }
    return std::min(line.size(), at + 1);
  }
  std::size_t end = line.find_first_of(" \t#\r\n", at);
  return end == std::string_view::npos ? line.size() : end;
}

// The same line with another value.
std::string with_value(const std::string& line, const std::string& value) {
  std::size_t equals = line.find('=');
  if (equals == std::string::npos) return line;
  std::size_t begin = line.find_first_not_of(" \t", equals + 1);
  if (begin == std::string::npos) return line;
  return line.substr(0, begin) + value + line.substr(end_of_value(line, begin));
}

void set_key(const Toml& root, const std::string& key, const std::string& value,
             std::vector<std::string>& lines, std::string& added) {
  for (const TomlMember& member : *root.as_table()) {
    if (member.key != key) continue;
    if (member.line >= 1 && member.line <= lines.size()) {
      lines[member.line - 1] = with_value(lines[member.line - 1], value);
    }
    return;
  }
  added += fmt::format("{} = {}\n", key, value);
}

}  // namespace

Result<std::string> with_scheme(std::string_view policy, std::string_view source,
                                std::string_view scheme, std::uint32_t l) {
  auto before = parse_policy(policy, source);
  if (!before) return before.error();
  auto root = parse_toml(policy, source, "a policy");
  if (!root) return root.error();
  std::vector<std::string> lines = lines_of(policy);
  std::string text;
  set_key(*root, "scheme", toml_quoted(scheme), lines, text);
  set_key(*root, "l", std::to_string(l), lines, text);
  for (const std::string& line : lines) text += line;
  // Whatever the text looks like: what is written says what was meant, and nothing else changed.
  auto after = parse_policy(text, source);
  before->scheme = scheme;
  before->l = l;
  if (!after || *after != *before) {
    return bad_input(fmt::format(
        "the scheme and l of {} are written in a way that cannot be changed line by line; write "
        "scheme = {} and l = {} into it by hand",
        source, toml_quoted(scheme), l));
  }
  return text;
}

}  // namespace rankveil
