#include "rankveil/base/text/unicode.h"

#include <gtest/gtest.h>

namespace rankveil {
namespace {

TEST(Unicode, TakesBothFormsOfALetterForOne) {
  EXPECT_EQ(composed("Ko\u0308ln"), "K\u00f6ln");
  EXPECT_EQ(composed("K\u00f6ln"), "K\u00f6ln");
}

TEST(Unicode, LikensWhatDiffersInCaseSpacesAndForm) {
  EXPECT_EQ(likened(" DSL"), likened("dsl "));
  EXPECT_EQ(likened("New  York"), likened("new york"));
  EXPECT_EQ(likened("KO\u0308LN\u00a0"), likened("k\u00f6ln"));
  EXPECT_NE(likened("Köln"), likened("Koln"));
}

TEST(Unicode, TakesMarksAwayForLookingUp) {
  EXPECT_EQ(plain_letters("Staatsangehörigkeit"), "staatsangehorigkeit");
  EXPECT_EQ(plain_letters("Straße"), "strasse");
  EXPECT_EQ(plain_letters("Płeć"), "plec");
}

TEST(Unicode, LeavesWhatIsNotUtf8) {
  EXPECT_EQ(composed("K\xf6ln"), "K\xf6ln");
  EXPECT_EQ(likened("K\xf6ln"), "K\xf6ln");
}

}  // namespace
}  // namespace rankveil
