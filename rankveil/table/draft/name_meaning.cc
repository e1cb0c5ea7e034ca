#include "rankveil/table/draft/name_meaning.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "rankveil/table/draft/column_name.h"
#include "rankveil/table/draft/name_pattern.h"
#include "rankveil/table/draft/word_lists.h"

namespace rankveil::draft {

namespace {

using Words = std::vector<std::string>;
using Patterns = std::vector<NamePattern>;

struct NamedMeaning {
  std::string what;
  Patterns certain, doubtful, unless;
};

const std::vector<NamedMeaning>& sensitive_names() {
  static const std::vector<NamedMeaning> meanings = [] {
    std::vector<NamedMeaning> made;
    for (const WordSection& section : word_sections("sensitive_names")) {
      made.push_back({section.what, patterns_of(section.entries("private")),
                      patterns_of(section.entries("doubtful")),
                      patterns_of(section.entries("unless"))});
    }
    return made;
  }();
  return meanings;
}

// Names that consist of heads and of words beside them.
struct Vocabulary {
  std::vector<std::pair<std::string, Patterns>> heads;
  Patterns beside;
};

Vocabulary vocabulary(std::string_view file, std::string_view list) {
  Vocabulary made;
  for (const WordSection& section : word_sections(file)) {
    auto heads = patterns_of(section.entries(list));
    if (!heads.empty()) made.heads.emplace_back(section.what, std::move(heads));
    for (NamePattern& one : patterns_of(section.entries("beside"))) {
      made.beside.push_back(std::move(one));
    }
  }
  return made;
}

// "jobs" beside "job", as English and four other languages write it.
std::vector<std::string> in_plural(const std::vector<std::string>& entries) {
  constexpr std::size_t shortest = 3;
  std::vector<std::string> plural;
  for (const std::string& entry : entries) {
    bool has_one = entry.size() >= shortest && entry.back() != 's' && entry.back() != '*';
    if (has_one) plural.push_back(entry + "s");
  }
  return plural;
}

// "mode paiement" beside "mode de paiement": headers leave out the words that only join others.
std::vector<std::string> without_joining_words(const std::vector<std::string>& entries) {
  static constexpr std::array<std::string_view, 16> joining = {
      "de", "d",   "du",  "des", "di", "del", "della", "do",
      "da", "van", "der", "la",  "l",  "of",  "the",   "en"};
  std::vector<std::string> shorter;
  for (const std::string& entry : entries) {
    std::string kept;
    for (const std::string& word : words_of(entry)) {
      if (std::find(joining.begin(), joining.end(), word) != joining.end()) continue;
      kept += (kept.empty() ? "" : " ") + word;
    }
    bool has_two = kept.find(' ') != std::string::npos && kept.find('*') == std::string::npos;
    if (has_two && kept.size() < entry.size()) shorter.push_back(std::move(kept));
  }
  return shorter;
}

// A word that is cut may stand beside a head: the beginning of one, and of nothing that is
// sensitive or tells who somebody is. Alone it says too little: "radius" begins a head, and is of a
// body.
bool is_cut(const Patterns& heads, const std::string& word) {
  constexpr std::size_t shortest = 3;
  auto begins = [&](const Patterns& patterns) {
    return std::ranges::any_of(patterns,
                               [&](const NamePattern& one) { return one.has_beginning(word); });
  };
  if (word.size() < shortest || !begins(heads)) return false;
  static const Vocabulary identifying = vocabulary("identifying_names", "names");
  bool identifies =
      std::ranges::any_of(identifying.heads, [&](const auto& one) { return begins(one.second); });
  return !identifies && std::ranges::none_of(sensitive_names(), [&](const NamedMeaning& meaning) {
    return begins(meaning.certain) || begins(meaning.doubtful);
  });
}

// Whether `heads` and `beside` cover all words between them, with a head among them.
bool covers(const Patterns& heads, const Patterns& beside, std::span<const std::string> words,
            bool may_be_cut = false) {
  std::vector<bool> reached(words.size() + 1, false), with_head(words.size() + 1, false);
  reached[0] = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!reached[i] && !with_head[i]) continue;
    for (const NamePattern& head : heads) {
      if (auto length = head.length_at(words.subspan(i))) with_head[i + length] = true;
    }
    for (const NamePattern& other : beside) {
      auto length = other.length_at(words.subspan(i));
      if (length == 0) continue;
      reached[i + length] = reached[i + length] || reached[i];
      with_head[i + length] = with_head[i + length] || with_head[i];
    }
    if (!may_be_cut || !is_cut(heads, words[i])) continue;
    reached[i + 1] = reached[i + 1] || reached[i];
    with_head[i + 1] = with_head[i + 1] || with_head[i];
  }
  return with_head[words.size()];
}

Patterns all_heads(const Vocabulary& vocabulary) {
  Patterns all;
  for (const auto& [what, heads] : vocabulary.heads)
    all.insert(all.end(), heads.begin(), heads.end());
  return all;
}

}  // namespace

std::optional<Meaning> sensitive_meaning(std::string_view name) {
  Words words = words_of(name);
  std::optional<Meaning> doubtful;
  for (const NamedMeaning& meaning : sensitive_names()) {
    if (any_is_in(meaning.unless, words)) continue;
    if (any_is_in(meaning.certain, words)) return Meaning{meaning.what, Certainty::Certain};
    if (!doubtful && any_is_in(meaning.doubtful, words)) {
      doubtful = Meaning{meaning.what, Certainty::Doubtful};
    }
  }
  return doubtful;
}

bool is_number_of_persons(std::string_view name) {
  return identifying_meaning(name) == "which person it is";
}

std::optional<std::string> identifying_meaning(std::string_view name) {
  static const Vocabulary known = vocabulary("identifying_names", "names");
  Words words = words_of(name);
  for (const auto& [what, heads] : known.heads) {
    if (covers(heads, known.beside, words)) return what;
  }
  return std::nullopt;
}

bool has_harmless_name(std::string_view name) {
  static const Vocabulary known = vocabulary("harmless_names", "heads");
  static const Patterns heads = [] {
    Patterns all = all_heads(known);
    auto add = [&](const std::vector<std::string>& entries) {
      for (NamePattern& one : patterns_of(entries)) all.push_back(std::move(one));
    };
    for (const WordSection& section : word_sections("harmless_names")) {
      add(in_plural(section.entries("heads")));
      add(without_joining_words(section.entries("heads")));
    }
    return all;
  }();
  return covers(heads, known.beside, words_of(name), true);
}

bool says_nothing(std::string_view name) {
  static const Patterns names = all_heads(vocabulary("harmless_names", "names"));
  Words words = words_of(name);
  return words.empty() || covers(names, names, words);
}

}  // namespace rankveil::draft
