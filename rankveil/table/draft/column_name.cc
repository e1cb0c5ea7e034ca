#include "rankveil/table/draft/column_name.h"

#include <cctype>

#include "rankveil/base/text/unicode.h"

namespace rankveil::draft {

namespace {

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) {
  auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte >= 0x80;
}

// "bodyType" has one at the T, "TVShow" at the S.
bool starts_inside(std::string_view name, std::size_t i) {
  if (!is_upper(name[i])) return false;
  if (is_lower(name[i - 1]) || is_digit(name[i - 1])) return true;
  return is_upper(name[i - 1]) && i + 1 < name.size() && is_lower(name[i + 1]);
}

std::string clean(std::string_view word) {
  std::string plain = plain_letters(word);
  while (!plain.empty() && is_digit(plain.back())) plain.pop_back();
  return plain;
}

}  // namespace

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  auto end_word = [&](std::size_t end) {
    std::string word = clean(name.substr(begin, end - begin));
    if (!word.empty()) words.push_back(std::move(word));
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_letter(name[i])) {
      end_word(i);
      begin = i + 1;
    } else if (i > begin && starts_inside(name, i)) {
      end_word(i);
      begin = i;
    }
  }
  end_word(name.size());
  return words;
}

}  // namespace rankveil::draft
