#include "cli/manual/completions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command_table.h"

namespace rankveil::cli {
namespace {

using testing::HasSubstr;

TEST(Completions, AreMadeForEveryShellAndNoOther) {
  for (std::string_view shell : known_shells()) {
    auto script = completions_for(shell);
    ASSERT_TRUE(script) << shell;
    EXPECT_THAT(*script, HasSubstr("check-publication")) << shell;
  }
  auto other = completions_for("tcsh");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "there are completions for bash, zsh, fish, not for \"tcsh\"");
}

TEST(Completions, KnowTheOptionsOfEveryCommand) {
  std::string bash = *completions_for("bash");
  int commands = 0;
  for_each_command([&](const Command& command, const Options& options) {
    std::string words;
    for (const OptionHelp& line : options.help()) {
      for (const std::string& spelling : line.spellings) words += " " + spelling;
    }
    EXPECT_THAT(bash, HasSubstr("'" + std::string(command.name) + "') echo '" + words.substr(1)));
    EXPECT_THAT(words, HasSubstr(" -h --help")) << command.name;
    ++commands;
  });
  EXPECT_EQ(commands, command_names().size());
}

}  // namespace
}  // namespace rankveil::cli
