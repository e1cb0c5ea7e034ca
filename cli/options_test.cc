#include "cli/options.h"

#include <gtest/gtest.h>

namespace rankveil::cli {
namespace {

struct Told {
  std::string file;
  std::string output = "none";
  std::uint32_t top = 3;
  std::optional<std::uint32_t> k;
  std::vector<std::string> wishes;
  bool json = false;
};

Status parse(Told& told, const std::vector<std::string>& arguments) {
  Options options("test");
  options.positional("FILE", "a file", told.file);
  options.text("-o,--output", "FILE", "where to", told.output);
  options.number("--top", "N", "how many", told.top, 1, 100);
  options.number("-k", "N", "rows", told.k, 1);
  options.each("--prefer", "WISH", "a wish", [&](const std::string& text) -> Status {
    if (text == "bad") return wrong_use("bad does not work");
    told.wishes.push_back(text);
    return {};
  });
  options.flag("--json", "print JSON", told.json);
  options.refuse({"-w", "--where"}, "--where went away; use --prefer");
  return options.parse(arguments);
}

std::string refusal(const std::vector<std::string>& arguments) {
  Told told;
  Status parsed = parse(told, arguments);
  if (parsed) return "";
  EXPECT_EQ(parsed.error().code, ErrorCode::WrongUse);
  return parsed.error().message;
}

TEST(Options, FillTheirTargetsInAnyOrder) {
  Told told;
  ASSERT_TRUE(parse(told, {"--prefer", "a=b|c", "-k", "7", "t.csv", "--prefer=d=e", "--json", "-o",
                           "out", "--top", "9"}));
  EXPECT_EQ(told.file, "t.csv");
  EXPECT_EQ(told.output, "out");
  EXPECT_EQ(told.top, 9U);
  EXPECT_EQ(told.k, 7U);
  EXPECT_EQ(told.wishes, (std::vector<std::string>{"a=b|c", "d=e"}));
  EXPECT_TRUE(told.json);
}

TEST(Options, KnowWhichOfASectionWereGiven) {
  std::uint32_t top = 3;
  bool fast = false, loud = false;
  Options options("test");
  options.section("Speed");
  options.number("-t,--top", "N", "how many", top);
  options.flag("--fast", "hurry", fast);
  options.section("Sound");
  options.flag("--loud", "shout", loud);
  ASSERT_TRUE(options.parse({"--loud", "-t", "3"}));
  EXPECT_EQ(options.given_in("Speed"), std::vector<std::string>{"--top"}) << "the default, too";
  EXPECT_EQ(options.given_in("Sound"), std::vector<std::string>{"--loud"});
  EXPECT_TRUE(options.given_in("Smell").empty());
}

TEST(Options, KeepDefaultsOfWhatIsNotSaid) {
  Told told;
  ASSERT_TRUE(parse(told, {"t.csv"}));
  EXPECT_EQ(told.output, "none");
  EXPECT_EQ(told.top, 3U);
  EXPECT_EQ(told.k, std::nullopt);
}

TEST(Options, NameTheRangeOfANumber) {
  EXPECT_EQ(refusal({"t.csv", "--top", "0"}),
            "--top must be a whole number from 1 to 100, not \"0\"");
  EXPECT_EQ(refusal({"t.csv", "--top", "1e3"}),
            "--top must be a whole number from 1 to 100, not \"1e3\"");
  EXPECT_EQ(refusal({"t.csv", "-k", "-1"}),
            "-k must be a whole number from 1 to 4294967295, not \"-1\"");
  std::uint64_t seed = 1;
  Options seeds("audit");
  seeds.number("--seed", "N", "of the choice", seed);
  EXPECT_TRUE(seeds.parse({"--seed", "9223372036854775807"}));
  EXPECT_EQ(seed, 9223372036854775807U);
}

TEST(Options, SuggestTheNearestName) {
  EXPECT_EQ(refusal({"t.csv", "--prefe", "x"}),
            "\"--prefe\" was not expected; did you mean --prefer?");
  EXPECT_EQ(refusal({"t.csv", "second"}), "\"second\" was not expected; see rankveil test --help");
}

TEST(Options, SayWhatBecameOfANameThatIsGone) {
  for (const char* name : {"-w", "--where", "--where=a=b"}) {
    EXPECT_EQ(refusal({"t.csv", name, "a=b"}), "--where went away; use --prefer");
    EXPECT_EQ(refusal({name}), "--where went away; use --prefer") << "whatever else is missing";
  }
  EXPECT_EQ(refusal({"t.csv", "--wheres", "a=b"}),
            "\"--wheres\" was not expected; see rankveil test --help");
}

TEST(Options, RefuseWhatIsMissingOrRepeatedOrEmpty) {
  EXPECT_EQ(refusal({}), "FILE is required; see rankveil test --help");
  EXPECT_EQ(refusal({"t.csv", "--top"}), "--top takes exactly one value");
  EXPECT_EQ(refusal({"t.csv", "-o", "a", "-o", "b"}), "--output takes exactly one value");
  EXPECT_EQ(refusal({"t.csv", "-o", ""}), "--output is empty");
}

TEST(Options, PassOnWhatATakeRefuses) {
  EXPECT_EQ(refusal({"t.csv", "--prefer", "good", "--prefer", "bad"}),
            "--prefer: bad does not work");
}

}  // namespace
}  // namespace rankveil::cli
