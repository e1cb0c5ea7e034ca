#include "rankveil/table/draft/value_lists.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "rankveil/base/text/unicode.h"
#include "rankveil/table/draft/word_lists.h"

namespace rankveil::draft {

namespace {

// As the lists compare values.
std::string listed_form(std::string_view value) {
  std::string text(value);
  for (char& c : text) {
    if (c == '_' || c == '-') c = ' ';
  }
  return plain_letters(text);
}

using Places = std::unordered_map<std::string, std::vector<std::size_t>>;

void put(Places& places, const std::vector<std::string>& values, std::size_t section) {
  for (const std::string& value : values) {
    auto& at = places[listed_form(value)];
    if (std::find(at.begin(), at.end(), section) == at.end()) at.push_back(section);
  }
}

struct SensitiveValues {
  std::vector<ValueMeaning> meanings;
  Places strong, weak;
};

const SensitiveValues& sensitive_values() {
  static const SensitiveValues known = [] {
    SensitiveValues made;
    for (const WordSection& section : word_sections("sensitive_values")) {
      put(made.strong, section.entries("values"), made.meanings.size());
      put(made.weak, section.entries("only_beside"), made.meanings.size());
      made.meanings.push_back({section.what, section.doubtful, section.entries("forms")});
    }
    return made;
  }();
  return known;
}

struct HarmlessValues {
  Places listed, needed;
  std::vector<bool> speaks;  // [list]
  std::unordered_set<std::string> other;
};

const HarmlessValues& harmless_values() {
  static const HarmlessValues known = [] {
    HarmlessValues made;
    std::size_t number = 0;
    for (const WordSection& section : word_sections("harmless_values")) {
      made.speaks.push_back(!section.entries("needs").empty());
      if (section.id == "other") {
        for (const auto& other : section.entries("values")) made.other.insert(listed_form(other));
      } else {
        put(made.listed, section.entries("values"), number);
        put(made.needed, section.entries("needs"), number);
      }
      ++number;
    }
    return made;
  }();
  return known;
}

void append(const Places& places, const std::string& text, std::vector<std::size_t>& to) {
  auto found = places.find(text);
  if (found == places.end()) return;
  for (std::size_t one : found->second) {
    if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
  }
}

constexpr std::size_t max_words_looked_up = 4;

bool ends_a_word(char c) {
  return c == ' ' || c == ',' || c == '/' || c == ';' || c == '(' || c == ')';
}

// The first words of a text, then the last ones: one, two, ... of them.
std::vector<std::string> ends_of(const std::string& text) {
  std::vector<std::string> ends;
  std::size_t words = 0;
  for (std::size_t i = 0; i < text.size() && words < max_words_looked_up; ++i) {
    if (!ends_a_word(text[i])) continue;
    ends.push_back(text.substr(0, i));
    ++words;
  }
  words = 0;
  for (std::size_t i = text.size(); i > 0 && words < max_words_looked_up; --i) {
    if (!ends_a_word(text[i - 1])) continue;
    ends.push_back(text.substr(i));
    ++words;
  }
  return ends;
}

std::unordered_set<std::string> all_of(std::string_view file) {
  std::unordered_set<std::string> values;
  for (const WordSection& section : word_sections(file)) {
    for (const std::string& value : section.entries("values")) values.insert(likened(value));
  }
  return values;
}

}  // namespace

const std::vector<ValueMeaning>& value_meanings() { return sensitive_values().meanings; }

SaidByValue said_by(std::string_view value) {
  const SensitiveValues& known = sensitive_values();
  std::string text = listed_form(value);
  SaidByValue said;
  append(known.strong, text, said.strong);
  append(known.weak, text, said.weak);
  for (const std::string& part : ends_of(text)) append(known.strong, part, said.strong);
  return said;
}

HarmlessIn harmless_in(std::string_view value) {
  const HarmlessValues& known = harmless_values();
  std::string text = listed_form(value);
  HarmlessIn in;
  append(known.listed, text, in.lists);
  append(known.needed, text, in.alone);
  in.anywhere = known.other.contains(text);
  return in;
}

bool speaks(std::size_t list) { return harmless_values().speaks[list]; }

bool is_missing_word(std::string_view value) {
  static const auto known = all_of("missing_values");
  return known.contains(likened(value));
}

bool is_first_name(std::string_view word) {
  static const auto known = all_of("people_values");
  return known.contains(plain_letters(word));
}

}  // namespace rankveil::draft
