#include "rankveil/connect/duckdb/message.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>

namespace rankveil::connect {

namespace {

// What follows `label` up to the end of its line.
std::optional<std::string_view> after(std::string_view text, std::string_view label) {
  auto found = text.find(label);
  if (found == std::string_view::npos) return std::nullopt;
  text.remove_prefix(found + label.size());
  return text.substr(0, text.find('\n'));
}

std::string_view before(std::string_view text, std::string_view label) {
  return text.substr(0, text.find(label));
}

// "Invalid Input Error: the rest" -> "the rest".
std::string_view without_kind(std::string_view text) {
  auto end = text.find(" Error: ");
  bool is_kind = end < 40 && text.substr(0, end).find('\n') == std::string_view::npos;
  return is_kind ? text.substr(end + 8) : text;
}

// Lines and runs of spaces become single spaces; no full stop at the end.
std::string one_line(std::string_view text) {
  std::string line;
  for (char c : text) {
    bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == '.')) line.pop_back();
  return line;
}

// The reason stands in the last lines before the advice, behind the quoted row.
std::string reason_of_csv_error(std::string_view message) {
  if (message.find("unterminated quote") != std::string_view::npos) {
    return "a quoted value has no end";
  }
  if (message.find("not utf-8") != std::string_view::npos) return "the text is not UTF-8";
  if (auto columns = after(message, "Expected Number of Columns: ")) {
    auto found = columns->find(" Found: ");
    if (found != std::string_view::npos) {
      return fmt::format("it has {} values where the header has {} names",
                         columns->substr(found + 8), columns->substr(0, found));
    }
  }
  if (message.find("Maximum line size") != std::string_view::npos) return "it is too long";
  return "it is not well-formed CSV";
}

}  // namespace

Error error_from_duckdb(std::string_view message) {
  bool is_io = message.substr(0, 9) == "IO Error:" || message.substr(0, 10) == "Permission";
  if (auto line = after(message, "CSV Error on Line: ")) {
    return bad_input(fmt::format("line {}: {}", *line, reason_of_csv_error(message)));
  }
  std::string_view core = without_kind(message);
  for (std::string_view end : {"\n\nLINE ", "\nLINE ", "Possible fixes", "Possible Solution"}) {
    core = before(core, end);
  }
  std::string sentence = one_line(core);
  return is_io ? io_error(std::move(sentence)) : bad_input(std::move(sentence));
}

}  // namespace rankveil::connect
