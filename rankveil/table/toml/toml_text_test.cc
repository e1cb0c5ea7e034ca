#include "rankveil/table/toml/toml_text.h"

#include <gtest/gtest.h>

namespace rankveil {
namespace {

TEST(TomlQuoted, EscapesWhatTomlRequires) {
  EXPECT_EQ(toml_quoted("a\"b\\c\n\t\r"), R"("a\"b\\c\n\t\r")");
  EXPECT_EQ(toml_quoted(std::string_view("\0\x7f", 2)), R"("\u0000\u007F")");
  EXPECT_EQ(toml_quoted("Zürich"), "\"Zürich\"");
}

TEST(TomlQuoted, ReplacesBytesThatAreNoUtf8) {
  const std::string broken = "\"\xEF\xBF\xBD\"";
  EXPECT_EQ(toml_quoted("\xff"), broken);
  EXPECT_EQ(toml_quoted("\xc3"), broken);
  EXPECT_EQ(toml_quoted("\xc0\xaf").size(), 2 + 2 * 3U);          // too long a spelling of '/'
  EXPECT_EQ(toml_quoted("\xed\xa0\x80").size(), 2 + 3 * 3U);      // a surrogate
  EXPECT_EQ(toml_quoted("\xf4\x90\x80\x80").size(), 2 + 4 * 3U);  // beyond U+10FFFF
}

TEST(TomlKey, QuotesOnlyWhereNeeded) {
  EXPECT_EQ(toml_key("age_band-2"), "age_band-2");
  EXPECT_EQ(toml_key(""), "\"\"");
  EXPECT_EQ(toml_key("a.b"), "\"a.b\"");
  EXPECT_EQ(toml_key("größe"), "\"größe\"");
}

TEST(LineOfBrokenUtf8, IsTheFirstSuchLine) {
  EXPECT_EQ(line_of_broken_utf8("Zürich\n日本\n\U0001F600"), std::nullopt);
  EXPECT_EQ(line_of_broken_utf8("a\n\xff\n\xff"), 2U);
  EXPECT_EQ(line_of_broken_utf8("a\n\n\xe6\x97"), 3U);
}

TEST(LineOfDeepKey, CountsDotsOfOneKeyOnly) {
  EXPECT_EQ(line_of_deep_key("a.b.c = 1", 2), std::nullopt);
  EXPECT_EQ(line_of_deep_key("x = 1\na.b.c.d = 1", 2), 2U);
  EXPECT_EQ(line_of_deep_key("x = [1.5, 2.5, 3.5, 4.5]", 2), std::nullopt);
  EXPECT_EQ(line_of_deep_key("# a.b.c.d", 2), std::nullopt);
  EXPECT_EQ(line_of_deep_key("[ a . b . c . d ]", 2), 1U);
}

TEST(LineOfDeepKey, LooksPastStrings) {
  EXPECT_EQ(line_of_deep_key("x = \"a.b.c.d\"", 2), std::nullopt);
  EXPECT_EQ(line_of_deep_key("'='.\"=\\\"\".'='.'='", 2), 1U);
  EXPECT_EQ(line_of_deep_key("x = '''\n'a\n'''''\na.b.c.d = 1", 2), 4U);
  EXPECT_EQ(line_of_deep_key("x = \"\"\"a\\\"\"\"\"\na.b.c.d = 1", 2), 2U);
  EXPECT_EQ(line_of_deep_key("x = \"\"\na.b.c.d = 1", 2), 2U);
  EXPECT_EQ(line_of_deep_key("x = \"abc\\", 2), std::nullopt);
}

}  // namespace
}  // namespace rankveil
