#include "cli/help.h"

#include <gtest/gtest.h>

#include <sstream>

namespace rankveil::cli {
namespace {

TEST(Help, WrapsWithinEightyColumns) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "word ";
  std::istringstream lines(help_line("--name VALUE", text));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(Help, GivesLongNamesALineOfTheirOwn) {
  EXPECT_EQ(help_line("--short", "text"), "  --short                   text\n");
  EXPECT_EQ(help_line("--a-very-long-name ATTRIBUTE", "text"),
            "  --a-very-long-name ATTRIBUTE\n                            text\n");
}

TEST(Help, EndsWithTheExample) {
  Options options("greet");
  std::string name;
  options.positional("NAME", "whom", name);
  options.example("rankveil greet Ada");
  ASSERT_TRUE(options.parse({"--help"}));
  ASSERT_TRUE(options.help_wanted());
  EXPECT_EQ(help_text(options, "Greet somebody"),
            "Greet somebody\n\n"
            "Usage: rankveil greet NAME [options]\n\n"
            "Arguments:\n"
            "  NAME                      whom\n\n"
            "Options:\n"
            "  -h, --help                print this help and exit\n\n"
            "Example:\n"
            "  rankveil greet Ada\n");
}

}  // namespace
}  // namespace rankveil::cli
