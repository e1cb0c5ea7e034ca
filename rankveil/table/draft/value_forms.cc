#include "rankveil/table/draft/value_forms.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "rankveil/base/text/unicode.h"
#include "rankveil/table/draft/value_lists.h"
#include "rankveil/table/number_text.h"

namespace rankveil::draft {

namespace {

bool is_figure(char c) { return c >= '0' && c <= '9'; }
bool is_character(char c) {
  auto byte = static_cast<unsigned char>(c);
  return std::isalpha(byte) != 0 || byte >= 0x80;
}
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

std::ptrdiff_t digits_in(std::string_view text) {
  return std::count_if(text.begin(), text.end(), is_figure);
}

bool all_of(std::string_view text, std::string_view others) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return is_figure(c) || others.find(c) != std::string_view::npos;
  });
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (char c : text) {
    if (is_character(c) || c == '\'' || c == '-') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

bool is_hexadecimal(char c) {
  return is_figure(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

std::ptrdiff_t decimals_of(std::string_view number) {
  auto point = number.find('.');
  return point == std::string_view::npos ? 0 : digits_in(number.substr(point));
}

bool is_degrees(std::string_view text) {
  auto number = number_from_text(text);
  return number && *number >= -180 && *number <= 180 && decimals_of(text) >= 3;
}

}  // namespace

bool looks_like_email(std::string_view text) {
  auto at = text.find('@');
  if (at == std::string_view::npos || at == 0 || text.find(' ') != std::string_view::npos)
    return false;
  auto point = text.rfind('.');
  return point != std::string_view::npos && point > at + 1 && point + 2 < text.size();
}

bool looks_like_ip(std::string_view text) {
  auto points = std::count(text.begin(), text.end(), '.');
  if (points == 3 && all_of(text, ".") && digits_in(text) >= 4 && text.size() >= 7) return true;
  auto colons = std::count(text.begin(), text.end(), ':');
  return colons >= 3 && std::all_of(text.begin(), text.end(), [](char c) {
           return is_hexadecimal(c) || c == ':' || c == '.';
         });
}

bool looks_like_url(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://") || text.starts_with("www.");
}

bool looks_like_phone(std::string_view text) {
  auto digits = digits_in(text);
  if (digits < 7 || digits > 15 || !all_of(text, "+()-./ x")) return false;
  if (text.starts_with('+') || text.starts_with('(')) return true;
  // A date has two separators, too, and groups of one, two or four digits.
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return c == '-' || c == ' ' || c == '/'; }) >= 2 &&
         digits >= 9;
}

bool looks_like_icd10(std::string_view text) {
  if (text.size() < 3 || text.size() > 8 || !is_capital(text[0]) || !is_figure(text[1]))
    return false;
  if (!is_figure(text[2]) && !is_capital(text[2])) return false;
  std::string_view rest = text.substr(3);
  if (rest.starts_with('.')) rest.remove_prefix(1);
  return rest.size() <= 4 && std::all_of(rest.begin(), rest.end(),
                                         [](char c) { return is_figure(c) || is_capital(c); });
}

bool is_detailed_icd10(std::string_view text) {
  return looks_like_icd10(text) && text.size() > 4 && text[3] == '.';
}

bool looks_like_income_bracket(std::string_view text) {
  std::string plain = plain_letters(text);
  bool bounds =
      plain.find_first_of("<>-+") != std::string::npos || plain.find("to ") != std::string::npos ||
      plain.find("under") != std::string::npos || plain.find("over") != std::string::npos ||
      plain.find("more") != std::string::npos || plain.find("less") != std::string::npos ||
      plain.find(" bis ") != std::string::npos;
  if (!bounds || digits_in(plain) < 2) return false;
  auto last_digit = plain.find_last_of("0123456789");
  bool thousands = last_digit + 1 < plain.size() && plain[last_digit + 1] == 'k';
  bool currency =
      plain.find('$') != std::string::npos || plain.find("\u20ac") != std::string::npos ||
      plain.find("\u00a3") != std::string::npos || plain.find("eur") != std::string::npos ||
      plain.find("usd") != std::string::npos || plain.find("zl") != std::string::npos;
  return thousands || (currency && digits_in(plain) >= 4);
}

bool looks_like_coordinates(std::string_view text) {
  auto comma = text.find(',');
  if (comma == std::string_view::npos) return is_degrees(text);
  std::string_view left = text.substr(0, comma), right = text.substr(comma + 1);
  if (left.starts_with('(')) left.remove_prefix(1);
  if (right.ends_with(')')) right.remove_suffix(1);
  return is_degrees(left) && is_degrees(right);
}

bool looks_like_hash(std::string_view text) {
  return text.size() >= 32 && digits_in(text) > 0 &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_hexadecimal(c) || c == '-'; });
}

bool looks_like_full_name(std::string_view text) {
  if (digits_in(text) > 0) return false;
  auto words = words_in(text);
  if (words.size() < 2 || words.size() > 5) return false;
  bool capitals = std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return is_capital(word[0]) || (word[0] & 0x80) != 0 || word.size() <= 3;
  });
  return capitals && std::any_of(words.begin(), words.end(),
                                 [](const std::string& word) { return is_first_name(word); });
}

bool looks_like_own_words(std::string_view text) { return words_in(text).size() >= 6; }

bool looks_like_date(std::string_view text) {
  std::string_view day = text.substr(0, text.find_first_of(" T"));
  auto separators = std::count_if(day.begin(), day.end(),
                                  [](char c) { return c == '-' || c == '/' || c == '.'; });
  auto digits = digits_in(day);
  return separators == 2 && digits >= 4 && digits <= 8 && all_of(day, "-/.");
}

}  // namespace rankveil::draft
