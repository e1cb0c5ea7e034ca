#include "rankveil/report/markup.h"

#include <cstdint>

namespace rankveil::reports {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;  // bytes; 0: no character starts here
};

std::size_t length_by_first(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

bool fits_length(std::uint32_t code, std::size_t length) {
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= least[length] && code <= 0x10FFFF;
}

Character first_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = length_by_first(first);
  if (length == 0 || length > text.size()) return {};
  if (length == 1) return {first, 1};
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80) return {};
    code = (code << 6U) | (next & 0x3FU);
  }
  return fits_length(code, length) ? Character{code, length} : Character{};
}

// Marks that make a reader see text in another order than the machine does.
bool turns_direction(std::uint32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool can_stand(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  const bool is_control = code >= 0x7F && code <= 0x9F;
  const bool is_half = code >= 0xD800 && code <= 0xDFFF;
  const bool is_no_character = (code & 0xFFFEU) == 0xFFFE;
  return !is_control && !is_half && !is_no_character && !turns_direction(code);
}

// Line ends and tabs would be changed to spaces in an attribute of XML.
std::string_view entity(std::uint32_t code) {
  switch (code) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    case '\r':
      return "&#13;";
    case '\n':
      return "&#10;";
    case '\t':
      return "&#9;";
    default:
      return {};
  }
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_character(text);
    const std::string_view name = entity(next.code);
    if (next.length == 0 || !can_stand(next.code)) {
      out += replacement;
    } else {
      out += name.empty() ? text.substr(0, next.length) : name;
    }
    text.remove_prefix(next.length == 0 ? 1 : next.length);
  }
  return out;
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80 ? 1 : 0;
  return count;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (character_count(text) <= most) return std::string(text);
  std::size_t kept = 0, end = 0;
  while (end < text.size()) {
    const bool starts = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80;
    if (starts && kept + 1 >= most) break;
    kept += starts ? 1 : 0;
    ++end;
  }
  return std::string(text.substr(0, end)) + "\xE2\x80\xA6";
}

std::string slug(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (is_word(c)) {
      out += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  if (out.ends_with('-')) out.pop_back();
  return out.empty() ? "x" : out;
}

}  // namespace rankveil::reports
