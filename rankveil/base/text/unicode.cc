#include "rankveil/base/text/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>

namespace rankveil {

namespace {

bool is_plain_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t* made = nullptr;
  auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                           static_cast<utf8proc_ssize_t>(text.size()), &made,
                           static_cast<utf8proc_option_t>(options));
  if (size < 0) return std::string(text);
  std::string result(reinterpret_cast<const char*>(made), static_cast<std::size_t>(size));
  std::free(made);
  return result;
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// One space for each run of spaces, none at the ends.
std::string single_spaced(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (!is_space(c)) {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

// Letters that have no decomposition, as they are typed without them.
std::string without_strokes(std::string text) {
  constexpr std::string_view pairs[][2] = {{"ł", "l"}, {"ø", "o"},  {"đ", "d"},
                                           {"ı", "i"}, {"œ", "oe"}, {"æ", "ae"}};
  for (const auto& [letter, plain] : pairs) {
    for (auto at = text.find(letter); at != std::string::npos; at = text.find(letter, at)) {
      text.replace(at, letter.size(), plain);
    }
  }
  return text;
}

}  // namespace

std::string composed(std::string_view text) {
  if (is_plain_ascii(text)) return std::string(text);
  return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

std::string likened(std::string_view text) {
  if (is_plain_ascii(text)) return single_spaced(lower_ascii(text));
  return single_spaced(
      mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD));
}

std::string plain_letters(std::string_view text) {
  if (is_plain_ascii(text)) return single_spaced(lower_ascii(text));
  return single_spaced(
      without_strokes(mapped(text, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
                                       UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK)));
}

}  // namespace rankveil
