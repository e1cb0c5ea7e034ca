#include "rankveil/api/compare.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/api/testing/owned_table.h"

namespace rankveil::api {
namespace {

Compared entry(const std::string& scheme, std::uint32_t l, double gain, double fair) {
  Compared one;
  one.scheme = scheme;
  one.l = l;
  one.promise = {PromiseKind::GainAtMost, 1.0 / l};
  one.gain = gain;
  one.gain_level = "bayesian-joint";
  one.utility.fair.mean = fair;
  return one;
}

CompareResult result_of(std::vector<Compared> compared, std::uint32_t l = 3) {
  CompareResult result;
  result.l = l;
  result.k = 10;
  result.compared = std::move(compared);
  choose(result);
  return result;
}

TEST(Choice, IsTheFairestOfThoseWithinTheBound) {
  auto result = result_of({entry("swap", 2, 0.5, 0.9), entry("swap", 3, 1.0 / 3, 0.6),
                           entry("cluster", 3, 0.3, 0.5), entry("drop", 3, 0, 0.2)});
  EXPECT_EQ(result.chosen, 1U);
  EXPECT_NE(result.compared[0].why_not.find("0.500"), std::string::npos);
  EXPECT_NE(result.reason.find("swap, l = 3 is chosen"), std::string::npos) << result.reason;
}

TEST(Choice, NeverFallsOnABrokenOrOpenPromise) {
  auto broken = entry("pvsv", 3, 0.1, 1);
  broken.broken_by = "joint";
  auto open = entry("pvst", 3, 0.1, 0.9);
  open.undecided_at = "ignorant";
  auto none = entry("rr", 3, 0.1, 0.95);
  none.promise = {};
  auto left_out = entry("ldp", 3, 0, 1);
  left_out.left_out = "declare its domain";
  auto result = result_of({broken, open, none, left_out, entry("swap", 3, 0.3, 0.4)});
  EXPECT_EQ(result.chosen, 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FALSE(result.compared[i].why_not.empty()) << i;
}

TEST(Choice, OfEqualAnswersTakesTheSmallerGainThenTheFirst) {
  EXPECT_EQ(result_of({entry("a", 3, 0.3, 0.5), entry("b", 3, 0.2, 0.5)}).chosen, 1U);
  EXPECT_EQ(result_of({entry("a", 3, 0.2, 0.5), entry("b", 3, 0.2, 0.5)}).chosen, 0U);
}

TEST(Choice, SaysWhenNobodyMayBeChosen) {
  auto result = result_of({entry("swap", 2, 0.5, 0.9)});
  EXPECT_FALSE(result.chosen);
  EXPECT_NE(result.reason.find("None"), std::string::npos);
}

TEST(Choice, FrontierHoldsWhatNothingBeatsInBoth) {
  auto result = result_of({entry("a", 2, 0.5, 0.9), entry("b", 3, 0.3, 0.6),
                           entry("c", 3, 0.4, 0.6), entry("d", 3, 0, 0.2)});
  EXPECT_TRUE(result.compared[0].on_frontier);
  EXPECT_TRUE(result.compared[1].on_frontier);
  EXPECT_FALSE(result.compared[2].on_frontier);
  EXPECT_TRUE(result.compared[3].on_frontier);
}

// With l = 3, a row of rr shows its own value one time in three, else any: one who takes what is
// shown for the truth is sure of all of it, and mostly wrong. By Bayes, of four even values the
// shown one has 1/3 + 2/3 * 1/4 = 1/2, and nobody who knows the scheme is sure.
TEST(Compare, CountsAsCertainWhatOneWhoKnowsTheSchemeIsCertainOf) {
  testing_support::OwnedTable table("rr");
  Rng rng(7);
  table.add(rng, 900);
  auto compared = compare(
      {.input = table.request().input, .schemes = {"rr"}, .ls = {}, .queries = 5, .seed = 1});
  ASSERT_TRUE(compared) << compared.error().message;
  ASSERT_EQ(compared->compared.size(), 1U);
  const Compared& rr = compared->compared[0];
  const auto ignorant = std::ranges::find(rr.findings, "ignorant", &audit::Finding::level);
  ASSERT_NE(ignorant, rr.findings.end());
  EXPECT_GT(ignorant->certain, 0.7);
  EXPECT_LT(ignorant->rate, 0.7);
  EXPECT_EQ(rr.certain, 0);
}

TEST(ComparePage, NamesTheChoiceAndEveryScheme) {
  auto result = result_of({entry("swap", 3, 0.3, 0.6), entry("<b>", 3, 0.9, 0.7)});
  result.table = "people.csv";
  std::string page = to_html(result);
  EXPECT_NE(page.find("swap, l = 3"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;, l = 3"), std::string::npos);
  EXPECT_EQ(page.find("<b>,"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos) << "nothing from outside";
  EXPECT_EQ(page.find("href=\"http"), std::string::npos);
}

}  // namespace
}  // namespace rankveil::api
