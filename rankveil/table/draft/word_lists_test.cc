#include "rankveil/table/draft/word_lists.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/table/draft/name_meaning.h"
#include "rankveil/table/draft/value_lists.h"

namespace rankveil::draft {
namespace {

bool says(std::string_view value, std::string_view what) {
  auto said = said_by(value);
  return std::any_of(said.strong.begin(), said.strong.end(),
                     [&](std::size_t one) { return value_meanings()[one].what == what; });
}

TEST(WordLists, SayOfEachPartWhereItIsFrom) {
  std::size_t entries = 0;
  for (const BuiltinList& list : builtin_lists()) {
    for (const WordSection& section : word_sections(list.name)) {
      EXPECT_GT(section.source.size(), 10u) << list.name << ": " << section.id;
      EXPECT_FALSE(section.lists.empty()) << list.name << ": " << section.id;
      for (const auto& [name, values] : section.lists) entries += values.size();
    }
  }
  EXPECT_GT(entries, 3000u);
}

TEST(WordLists, NameNothingHarmlessThatTheyCallCertainlySensitive) {
  for (const WordSection& section : word_sections("harmless_names")) {
    for (const std::string& head : section.entries("heads")) {
      auto meaning = sensitive_meaning(head);
      EXPECT_FALSE(meaning && meaning->certainty == Certainty::Certain)
          << head << " is " << meaning->what;
    }
  }
}

// They speak whatever the column is called, so they may mean nothing else.
TEST(WordLists, LetNoValueSpeakAloneThatSaysSomethingSensitive) {
  for (const WordSection& section : word_sections("harmless_values")) {
    for (const std::string& value : section.entries("needs")) {
      EXPECT_TRUE(said_by(value).strong.empty()) << value;
      EXPECT_FALSE(harmless_in(value).lists.empty()) << value;
      EXPECT_FALSE(harmless_in(value).alone.empty()) << value;
    }
  }
}

TEST(ListedValues, SayWhatTheyAreAbout) {
  EXPECT_TRUE(says("Roman Catholic", "religion or belief"));
  EXPECT_TRUE(says("agnosticism and very serious about it", "religion or belief"));
  EXPECT_TRUE(says("römisch-katholisch", "religion or belief"));
  EXPECT_TRUE(says("Asian-Pac-Islander", "racial or ethnic origin"));
  EXPECT_TRUE(says("Straight", "sex life or sexual orientation"));
  EXPECT_TRUE(says("Bluthochdruck", "health"));
  EXPECT_TRUE(says("Metformin 500 mg", "medicines and drugs"));
  EXPECT_TRUE(says("SPD", "political opinions"));
  EXPECT_TRUE(said_by("White").strong.empty());
  EXPECT_FALSE(said_by("White").weak.empty());
  EXPECT_TRUE(said_by("Paris").strong.empty());
}

TEST(ListedValues, KnowWordsForNothingAndForPeople) {
  EXPECT_TRUE(is_missing_word(" ?"));
  EXPECT_TRUE(is_missing_word("N/A"));
  EXPECT_FALSE(is_missing_word("none"));
  EXPECT_TRUE(is_first_name("Zofia"));
  EXPECT_TRUE(harmless_in("Female").lists.size() == 1);
  EXPECT_TRUE(harmless_in("unknown").anywhere);
}

}  // namespace
}  // namespace rankveil::draft
