#include "rankveil/table/policy/policy_edit.h"

#include <gtest/gtest.h>

#include "rankveil/table/policy/policy.h"

namespace rankveil {
namespace {

TEST(PolicyEdit, ChangesTwoValuesAndNothingElse) {
  auto text = with_scheme(
      "# ours\nl   = 3   # as agreed\nscheme = \"swap\" # \"the\" default\n\n[column.city]\n"
      "role = \"public\"\n",
      "p.toml", "cluster", 4);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text,
            "# ours\nl   = 4   # as agreed\nscheme = \"cluster\" # \"the\" default\n\n"
            "[column.city]\nrole = \"public\"\n");
}

TEST(PolicyEdit, AddsWhatIsMissingInFront) {
  auto text = with_scheme("[column.l]\nrole = \"private\"\n", "p.toml", "swap", 2);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "scheme = \"swap\"\nl = 2\n[column.l]\nrole = \"private\"\n");
}

TEST(PolicyEdit, KeepsLineEndsAndALastLineWithoutOne) {
  auto text = with_scheme("scheme='swap'\r\n[column.a]\r\nrole=\"public\"", "p.toml", "drop", 5);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, "l = 5\nscheme=\"drop\"\r\n[column.a]\r\nrole=\"public\"");
}

TEST(PolicyEdit, DoesNotTouchColumnsOfTheSameName) {
  std::string policy = "[column.scheme]\nrole = \"public\"\n[column.l]\nrole = \"private\"\n";
  auto text = with_scheme(policy, "p.toml", "swap", 3);
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->ends_with(policy));
  EXPECT_EQ(parse_policy(*text, "p.toml")->columns.size(), 2U);
}

TEST(PolicyEdit, RefusesWhatItCannotChangeCleanly) {
  EXPECT_FALSE(with_scheme("scheme = \"\"\"\nswap\"\"\"\n[column.a]\nrole = \"public\"\n", "p.toml",
                           "drop", 2));
  EXPECT_FALSE(with_scheme("schem = 3\n", "p.toml", "drop", 2));
}

}  // namespace
}  // namespace rankveil
