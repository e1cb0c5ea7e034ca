#include "rankveil/table/draft/word_lists.h"

#include <algorithm>
#include <cassert>

#include "rankveil/table/toml/toml.h"

namespace rankveil::draft {

namespace {

std::vector<std::string> texts_of(const Toml::Array& array) {
  std::vector<std::string> texts;
  for (const Toml& item : array) {
    assert(item.as_text() != nullptr && "a list of words holds words");
    texts.push_back(*item.as_text());
  }
  return texts;
}

WordSection section_of(const TomlMember& member) {
  WordSection section{.id = member.key, .what = member.key, .source = ""};
  for (const TomlMember& field : *member.value.as_table()) {
    if (const auto* text = field.value.as_text()) {
      (field.key == "what" ? section.what : section.source) = *text;
    } else if (const auto* array = field.value.as_array()) {
      section.lists.emplace_back(field.key, texts_of(*array));
    } else if (const auto* truth = field.value.as_bool()) {
      section.doubtful = *truth;
    }
  }
  return section;
}

}  // namespace

const std::vector<std::string>& WordSection::entries(std::string_view list) const {
  static const std::vector<std::string> none;
  for (const auto& [name, entries] : lists) {
    if (name == list) return entries;
  }
  return none;
}

std::vector<WordSection> word_sections(std::string_view file) {
  const auto& all = builtin_lists();
  auto found = std::find_if(all.begin(), all.end(),
                            [&](const BuiltinList& list) { return list.name == file; });
  assert(found != all.end() && "lists/ has a file of that name");
  auto root = parse_toml(found->text, found->name, "a list of words");
  assert(root && "lists of words are TOML");
  std::vector<WordSection> sections;
  for (const TomlMember& member : *root->as_table()) sections.push_back(section_of(member));
  return sections;
}

}  // namespace rankveil::draft
