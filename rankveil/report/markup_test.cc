#include "rankveil/report/markup.h"

#include <gtest/gtest.h>

namespace rankveil::reports {
namespace {

using std::string_literals::operator""s;

TEST(Markup, EscapesWhatHasAMeaning) {
  EXPECT_EQ(escaped("<a href=\"x\">Tom & 'Jo'</a>"),
            "&lt;a href=&quot;x&quot;&gt;Tom &amp; &#39;Jo&#39;&lt;/a&gt;");
  EXPECT_EQ(escaped("&amp;"), "&amp;amp;");
}

TEST(Markup, KeepsTextOfAllLanguages) {
  EXPECT_EQ(escaped("Zoë 東京 😀"), "Zoë 東京 😀");
  EXPECT_EQ(escaped(""), "");
}

TEST(Markup, KeepsLineEndsInAttributes) { EXPECT_EQ(escaped("a\nb\tc\r"), "a&#10;b&#9;c&#13;"); }

TEST(Markup, ReplacesWhatXmlCannotHold) {
  EXPECT_EQ(escaped("a\0b\x1b[31m"s), "a\uFFFDb\uFFFD[31m");
  EXPECT_EQ(escaped("\uFFFE\u0085"), "\uFFFD\uFFFD");
}

TEST(Markup, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(escaped("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(escaped("\xC3"), "\uFFFD");                        // cut short
  EXPECT_EQ(escaped("\xC0\xBC"), "\uFFFD\uFFFD");              // '<' in two bytes
  EXPECT_EQ(escaped("\xE0\x80\xBC"), "\uFFFD\uFFFD\uFFFD");    // and in three
  EXPECT_EQ(escaped("\xED\xA0\x80"), "\uFFFD");                // half of a pair
  EXPECT_EQ(escaped("\xF4\x90\x80\x80x").back(), 'x');         // beyond Unicode
  EXPECT_EQ(escaped("\xC3<script>"), "\uFFFD&lt;script&gt;");  // does not swallow what follows
}

TEST(Markup, ReplacesMarksThatTurnTextAround) {
  EXPECT_EQ(escaped("\u202Etxt.exe"), "\uFFFDtxt.exe");
  EXPECT_EQ(escaped("\u2066x\u2069"), "\uFFFDx\uFFFD");
}

TEST(Markup, ShortensByCharactersNotByBytes) {
  EXPECT_EQ(character_count("Zoë"), 3U);
  EXPECT_EQ(shortened("Zoë", 3), "Zoë");
  EXPECT_EQ(shortened("Zoë Ax", 4), "Zoë…");
  EXPECT_EQ(shortened("ëëëëë", 3), "ëë…");
}

TEST(Markup, SlugsAreWords) {
  EXPECT_EQ(slug("Method & limits, in plain words!"), "method-limits-in-plain-words");
  EXPECT_EQ(slug("\"><script>"), "script");
  EXPECT_EQ(slug("東京"), "x");
}

}  // namespace
}  // namespace rankveil::reports
