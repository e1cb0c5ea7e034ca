#include "rankveil/table/building/dictionary.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_map>

#include "rankveil/base/random.h"

namespace rankveil {
namespace {

TEST(PackedText, GivesBackTextOfEveryLength) {
  for (std::size_t length = 0; length < 40; ++length) {
    std::string text(length, 'x');
    EXPECT_EQ(PackedText(text).view(), text);
  }
}

TEST(Dictionary, NumbersTextsInTheOrderTheyAreMet) {
  Dictionary dictionary;
  EXPECT_EQ(dictionary.add(std::string_view("b")), 0u);
  EXPECT_EQ(dictionary.add(std::string_view("a")), 1u);
  EXPECT_EQ(dictionary.add(std::string_view("b")), 0u);
  EXPECT_EQ(dictionary.find(std::string_view("a")), 1u);
  EXPECT_EQ(dictionary.find(std::string_view("c")), Dictionary::none);
}

TEST(Dictionary, TellsTextsApartThatShareTheirBeginningOrZeroBytes) {
  Dictionary dictionary;
  std::vector<std::string> texts = {"",
                                    std::string(1, '\0'),
                                    std::string(12, '\0'),
                                    std::string(13, '\0'),
                                    "abcdefghijkl",
                                    "abcdefghijklm",
                                    "abcdefghijkln",
                                    "abcdefghijklmn"};
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(dictionary.add(std::string_view(texts[i])), i);
  }
  EXPECT_EQ(dictionary.texts(), texts);
}

TEST(Dictionary, AgreesWithAMapOnRandomTexts) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Dictionary dictionary;
    std::unordered_map<std::string, std::uint32_t> expected;
    for (int i = 0; i < 20'000; ++i) {
      std::string text(rng.below(20), 'a');
      for (std::size_t j = 0; j < text.size(); j += 5)
        text[j] = static_cast<char>('a' + rng.below(9));
      auto fresh = expected.emplace(text, static_cast<std::uint32_t>(expected.size()));
      ASSERT_EQ(dictionary.add(std::string_view(text)), fresh.first->second) << text;
    }
    EXPECT_EQ(dictionary.size(), expected.size());
  }
}

}  // namespace
}  // namespace rankveil
