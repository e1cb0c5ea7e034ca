#include "cli/manual/man_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/command_table.h"

namespace rankveil::cli {
namespace {

using testing::HasSubstr;

TEST(ManPages, AreOneACommandAndOneForAll) {
  auto pages = man_pages();
  ASSERT_EQ(pages.size(), command_names().size() + 1);
  EXPECT_EQ(pages.front().file, "rankveil.1");
  const auto is_there = [&](const std::string& name) {
    return std::ranges::any_of(pages, [&](const ManPage& page) { return page.file == name; });
  };
  EXPECT_TRUE(is_there("rankveil-query.1"));
  EXPECT_EQ(is_there("rankveil-graph-attack.1"), !graph_commands().empty());
}

TEST(ManPages, HaveNoLineThatIsARequestByAccident) {
  for (const ManPage& page : man_pages()) {
    std::istringstream lines(page.text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_FALSE(line.starts_with("'")) << page.file << ": " << line;
      EXPECT_FALSE(line.find(" -") != std::string::npos && !line.starts_with("."))
          << "a hyphen that cannot be pasted in " << page.file << ": " << line;
    }
  }
}

}  // namespace
}  // namespace rankveil::cli
