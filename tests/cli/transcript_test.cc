#include "tests/cli/transcript.h"

#include <gtest/gtest.h>

namespace rankveil::tests {
namespace {

const std::string sample =
    "# A case.\n"
    "\n"
    "$ rankveil nonsense\n"
    "| out\n"
    "|\n"
    "! err 1\n"
    "? 2\n"
    "$ true\n";

TEST(Transcript, IsFormattedAsItWasParsed) {
  auto steps = parse_transcript(sample);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].err, std::vector<std::string>{"err 1"});
  EXPECT_EQ(steps[0].exit_code, 2);
  EXPECT_EQ(format_transcript(steps), sample);
}

TEST(Transcript, MatchesLiterallyButForPatterns) {
  EXPECT_TRUE(matches({"a.b (c)"}, {"a.b (c)"}));
  EXPECT_FALSE(matches({"a.b"}, {"axb"}));
  EXPECT_TRUE(matches({"took {{[0-9]+}} ms (really)"}, {"took 17 ms (really)"}));
  EXPECT_FALSE(matches({"took {{[0-9]+}} ms"}, {"took no ms"}));
  EXPECT_FALSE(matches({"one"}, {"one", "two"}));
  EXPECT_TRUE(matches({"one", "...", "three"}, {"one", "two", "more", "three"}));
  EXPECT_FALSE(matches({"one", "..."}, {"two"}));
}

TEST(Transcript, TurnsTimesIntoPatternsThatMatchThem) {
  for (const std::string line : {"opened in 0.12 ms", "\"seconds\": 1.5e-05,", "in 34 ms, 1.5 s"}) {
    EXPECT_NE(generalize(line), line);
    EXPECT_TRUE(matches({generalize(line)}, {line}));
  }
}

}  // namespace
}  // namespace rankveil::tests
