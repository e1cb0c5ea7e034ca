#include "rankveil/publish/score.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rankveil::publish {
namespace {

double value(const Score& score, const std::vector<double>& values) {
  std::vector<std::span<const double>> columns;
  for (const double& one : values) columns.emplace_back(&one, 1);
  double result = 0;
  score.evaluate(columns, std::span(&result, 1));
  return result;
}

TEST(Score, SumsAListOfColumns) {
  auto score = Score::of_list("points,assists, rebounds");
  ASSERT_TRUE(score) << score.error().message;
  EXPECT_EQ(score->columns(), (std::vector<std::string>{"points", "assists", "rebounds"}));
  EXPECT_EQ(score->text(), "points + assists + rebounds");
  EXPECT_EQ(value(*score, {1, 2, 4}), 7);
}

TEST(Score, TakesWeightsAndDirections) {
  auto score = Score::of_list("-turnovers,2.5*points,-3*fouls");
  ASSERT_TRUE(score) << score.error().message;
  EXPECT_EQ(score->text(), "-turnovers + 2.5 * points - 3 * fouls");
  EXPECT_EQ(value(*score, {1, 2, 4}), -1 + 5 - 12);
}

TEST(Score, FollowsTheRulesOfArithmetic) {
  auto score = Score::parse("a - b - 2 * (a + b) / 4 + max(a, b, 7) * -sqrt(4)");
  ASSERT_TRUE(score) << score.error().message;
  EXPECT_DOUBLE_EQ(value(*score, {1, 3}), 1 - 3 - 2 - 14);
}

TEST(Score, ReadsItsOwnText) {
  for (const char* text :
       {"a", "-a", "a - (b - c)", "a / (b * c)", "a * (b + 2)", "min(a, max(b, -c))",
        "log(exp(a) + 1)", "\"a b\" + \"say \"\"hi\"\"\"", "-(a + b)", "--a", "a - -b"}) {
    auto score = Score::parse(text);
    ASSERT_TRUE(score) << score.error().message;
    auto again = Score::parse(score->text());
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->text(), score->text());
    std::vector<double> values = {0.5, 1.25, 3};
    values.resize(score->columns().size());
    EXPECT_EQ(value(*again, values), value(*score, values));
  }
}

struct Refused {
  const char* text;
  const char* says;
};

TEST(Score, SaysWhatItCannotRead) {
  for (const Refused& one :
       std::vector<Refused>{{"", "a column or a number is expected before the end"},
                            {"a +", "a column or a number is expected before the end"},
                            {"a b", "an operator is expected before \"b\""},
                            {"cube(a)", "there is no function \"cube\""},
                            {"(a", "\")\" is expected before the end"},
                            {"min(a)", "\",\" is expected before \")\""},
                            {"1 + 2", "it names no column"},
                            {"a ^ 2", "an operator is expected before \"^\""},
                            {"\"a", "a column or a number is expected before \"\"\""}}) {
    auto score = Score::parse(one.text);
    ASSERT_FALSE(score) << one.text;
    EXPECT_NE(score.error().message.find(one.says), std::string::npos) << score.error().message;
  }
  EXPECT_FALSE(Score::of_list("a,a"));
  EXPECT_FALSE(Score::of_list("a,,b"));
  EXPECT_FALSE(Score::of_list("2a"));
}

TEST(Score, RefusesDeepNesting) {
  EXPECT_FALSE(Score::parse(std::string(5000, '(') + "a" + std::string(5000, ')')));
  EXPECT_FALSE(Score::parse(std::string(5000, '-') + "a"));
}

bool is_monotone(const char* text, std::vector<ValueRange> ranges) {
  auto score = Score::parse(text);
  return score && score->check(ranges).ok();
}

TEST(Score, IsMonotoneWhereItsColumnsSaySo) {
  EXPECT_TRUE(is_monotone("a * b", {{0, 5}, {0, 3}}));
  EXPECT_FALSE(is_monotone("a * b", {{-1, 5}, {0, 3}}));
  EXPECT_TRUE(is_monotone("a * b", {{-5, -1}, {0, 3}}));
  EXPECT_FALSE(is_monotone("a - a * a", {{0, 5}}));
  EXPECT_TRUE(is_monotone("a / b", {{0, 5}, {1, 3}}));
  EXPECT_FALSE(is_monotone("a / b", {{0, 5}, {0, 3}}));
  EXPECT_TRUE(is_monotone("sqrt(a) + log(b)", {{0, 5}, {0.1, 3}}));
  EXPECT_FALSE(is_monotone("sqrt(a)", {{-0.1, 5}}));
  EXPECT_FALSE(is_monotone("exp(a)", {{0, 5000}}));
  EXPECT_TRUE(is_monotone("min(a, b) - max(c, 2)", {{-1, 5}, {-9, 3}, {0, 9}}));
}

}  // namespace
}  // namespace rankveil::publish
