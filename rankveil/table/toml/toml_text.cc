#include "rankveil/table/toml/toml_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

namespace rankveil {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

std::size_t length_by_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

// Too long a spelling, a surrogate, or beyond U+10FFFF: told by the first two bytes.
bool is_forbidden_start(unsigned char lead, unsigned char second) {
  return (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) ||
         (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90);
}

// Bytes of the character that `text` begins with, or 0 when those are no UTF-8.
std::size_t utf8_length(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::size_t length = length_by_lead(byte(0));
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (length > 2 && is_forbidden_start(byte(0), byte(1))) return 0;
  return length;
}

std::string escaped(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return is_control(c) ? fmt::format("\\u{:04X}", static_cast<unsigned>(c)) : std::string(1, c);
  }
}

// Calls visit(character) for each character as bytes; broken ones come as U+FFFD.
template <typename Visit>
void for_each_character(std::string_view text, Visit visit) {
  while (!text.empty()) {
    std::size_t length = utf8_length(text);
    visit(length == 0 ? replacement : text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

// Where the string that opens at `at` is over.
std::size_t end_of_string(std::string_view toml, std::size_t at) {
  char quote = toml[at];
  bool long_form = toml.substr(at, 3) == std::string(3, quote);
  std::string_view closing = toml.substr(at, long_form ? 3 : 1);
  at += closing.size();
  while (at < toml.size() && toml.substr(at, closing.size()) != closing) {
    if (!long_form && toml[at] == '\n') return at;
    at += quote == '"' && toml[at] == '\\' ? 2 : 1;
  }
  at = std::min(at + closing.size(), toml.size());
  // A long string may end in up to two quotes of its own.
  for (int extra = 0; long_form && extra < 2 && at < toml.size() && toml[at] == quote; ++extra)
    ++at;
  return at;
}

// Where the string or comment that begins at `at` is over; `at` itself for anything else.
std::size_t end_of_opaque(std::string_view toml, std::size_t at) {
  if (toml[at] == '"' || toml[at] == '\'') return end_of_string(toml, at);
  if (toml[at] == '#') return std::min(toml.find('\n', at), toml.size());
  return at;
}

}  // namespace

std::string toml_quoted(std::string_view text) {
  std::string quoted = "\"";
  for_each_character(text, [&](std::string_view character) {
    if (character.size() == 1) {
      quoted += escaped(character[0]);
    } else {
      quoted += character;
    }
  });
  return quoted + '"';
}

std::string toml_key(std::string_view name) {
  bool bare = !name.empty() && std::all_of(name.begin(), name.end(), is_bare);
  return bare ? std::string(name) : toml_quoted(name);
}

std::string toml_comment_text(std::string_view line) {
  std::string clean;
  for_each_character(line, [&](std::string_view character) {
    clean += is_control(character[0]) ? " " : character;
  });
  return clean;
}

std::optional<std::size_t> line_of_broken_utf8(std::string_view text) {
  std::size_t line = 1;
  while (!text.empty()) {
    std::size_t length = utf8_length(text);
    if (length == 0) return line;
    line += text[0] == '\n' ? 1 : 0;
    text.remove_prefix(length);
  }
  return std::nullopt;
}

std::optional<std::size_t> line_of_deep_key(std::string_view toml, std::size_t max_dots) {
  constexpr std::string_view separators = ",=[]{}\n";
  std::size_t line = 1;
  std::size_t dots = 0;
  for (std::size_t at = 0; at < toml.size();) {
    std::size_t end = end_of_opaque(toml, at);
    if (end > at) {
      line += static_cast<std::size_t>(std::count(&toml[at], toml.data() + end, '\n'));
      at = end;
      continue;
    }
    if (toml[at] == '.' && ++dots > max_dots) return line;
    if (separators.find(toml[at]) != std::string_view::npos) dots = 0;
    line += toml[at] == '\n' ? 1 : 0;
    ++at;
  }
  return std::nullopt;
}

}  // namespace rankveil
