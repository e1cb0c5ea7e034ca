#include "rankveil/table/draft/value_forms.h"

#include <algorithm>
#include <array>
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

// Whether the text is written like that: 9 stands for a digit, A for a capital.
bool has_shape(std::string_view text, std::string_view shape) {
  return std::equal(text.begin(), text.end(), shape.begin(), shape.end(), [](char c, char like) {
    if (like == '9') return is_figure(c);
    return like == 'A' ? is_capital(c) : c == like;
  });
}

std::string without(std::string_view text, std::string_view left_out) {
  std::string kept;
  for (char c : text) {
    if (left_out.find(c) == std::string_view::npos) kept += c;
  }
  return kept;
}

// Two letters, two digits, eleven to thirty letters and digits, mostly digits.
bool is_iban(std::string_view text) {
  return text.size() >= 15 && text.size() <= 34 && has_shape(text.substr(0, 4), "AA99") &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_figure(c) || is_capital(c); }) &&
         digits_in(text) >= 10;
}

// One for men or two for women, year and month of birth, and the rest of 13 or 15 digits in groups.
bool is_french_number(std::string_view text, std::string_view digits) {
  if (digits.size() == text.size() || (digits.size() != 13 && digits.size() != 15)) return false;
  if (!all_of(digits, "") || (digits[0] != '1' && digits[0] != '2')) return false;
  return (digits[3] == '0' && digits[4] != '0') || (digits[3] == '1' && digits[4] <= '2');
}

struct DayPlace {
  std::size_t year, month, day;
};
constexpr std::array<DayPlace, 3> day_places = {{{0, 2, 4}, {4, 2, 0}, {4, 0, 2}}};

int two_digits(std::string_view text, std::size_t at) {
  if (!is_figure(text[at]) || !is_figure(text[at + 1])) return -1;
  return 10 * (text[at] - '0') + (text[at + 1] - '0');
}

// Whether nearly all texts have a day at that place, on all months, most days and many years.
// Numbers that were counted have fewer.
bool holds_birthday_at(const std::vector<std::string>& texts, std::size_t at, DayPlace place) {
  constexpr std::ptrdiff_t fewest_years = 30, all_months = 12, max_days = 25;
  std::array<bool, 100> is_year{}, is_month{}, is_day{};
  std::size_t fit = 0;
  for (const std::string& text : texts) {
    int year = two_digits(text, at + place.year), month = two_digits(text, at + place.month),
        day = two_digits(text, at + place.day);
    if (year < 0 || month < 1 || month > 12 || day < 1 || day > 31) continue;
    ++fit;
    is_year[static_cast<std::size_t>(year)] = true;
    is_month[static_cast<std::size_t>(month)] = true;
    is_day[static_cast<std::size_t>(day)] = true;
  }
  auto count = [](const std::array<bool, 100>& seen) {
    return std::count(seen.begin(), seen.end(), true);
  };
  return 20 * fit >= 19 * texts.size() && count(is_year) >= fewest_years &&
         count(is_month) == all_months && count(is_day) >= max_days;
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

bool looks_like_national_number(std::string_view text) {
  static constexpr std::array<std::string_view, 8> shapes = {"999-99-9999",     // United States
                                                             "999.999.999-99",  // Brazil
                                                             "99999999A",       // Spain
                                                             "A9999999A",  // foreigners in Spain
                                                             "AA999999A",  // United Kingdom
                                                             "AAAAAA99A99A999A",    // Italy
                                                             "AAAA999999AAAAAA99",  // Mexico
                                                             "AAAA999999AAAAAAA9"};
  std::string plain = without(text, " ");
  return std::any_of(shapes.begin(), shapes.end(),
                     [&](std::string_view shape) { return has_shape(plain, shape); }) ||
         is_iban(plain) || is_french_number(text, plain);
}

bool hold_birthdays(const std::vector<std::string_view>& texts) {
  constexpr std::size_t fewest_texts = 100, shortest = 9;
  if (texts.size() < fewest_texts) return false;
  std::vector<std::string> plain;
  plain.reserve(texts.size());
  for (std::string_view text : texts) {
    plain.push_back(without(text, " -/."));
    if (plain.back().size() != plain.front().size()) return false;
  }
  // A text that is a day and a time of day is a time of whatever it may be.
  if (plain.front().size() < shortest || looks_like_date(texts.front())) return false;
  for (std::size_t at = 0; at + 6 <= plain.front().size(); ++at) {
    for (DayPlace place : day_places) {
      if (holds_birthday_at(plain, at, place)) return true;
    }
  }
  return false;
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
