#include "bench/figures/lab/checks.h"

#include <gtest/gtest.h>

namespace rankveil::figures {
namespace {

Series series(std::vector<double> ys) {
  Series made{"s", {}, std::move(ys), {}};
  for (std::size_t i = 0; i < made.ys.size(); ++i) made.xs.push_back(static_cast<double>(i + 1));
  return made;
}

TEST(Checks, OnePointAboveIsNotBelow) {
  EXPECT_TRUE(stays_below(series({0.1, 0.2}), series({0.2, 0.3})).holds);
  EXPECT_FALSE(stays_below(series({0.1, 0.4}), series({0.2, 0.3})).holds);
  EXPECT_FALSE(stays_below(series({0.2}), series({0.2})).holds);
  EXPECT_TRUE(stays_below(series({0, 0.1}), series({0, 0.2})).holds);
}

TEST(Checks, PointsBeforeTheFirstThatCountsAreLeftOut) {
  EXPECT_TRUE(stays_below(series({0.9, 0.2}), series({0.1, 0.3}), 2).holds);
  EXPECT_FALSE(stays_below(series({0.1}), series({0.2}), 2).holds) << "nothing to compare";
}

TEST(Checks, PointsThatOnlyOneHasAreLeftOut) {
  Series other = series({0.5, 0.5});
  other.xs = {2, 9};
  EXPECT_TRUE(stays_below(series({0.9, 0.2}), other).holds);
}

TEST(Checks, WellBelowAsksForDistance) {
  EXPECT_TRUE(well_below(series({0.1, 0.1}), series({0.2, 0.2})).holds);
  EXPECT_FALSE(well_below(series({0.19, 0.19}), series({0.2, 0.2})).holds);
}

TEST(Checks, ARiseMayRestButNotTurn) {
  EXPECT_TRUE(rises(series({0.1, 0.2, 0.195})).holds);
  EXPECT_FALSE(rises(series({0.1, 0.3, 0.2})).holds);
  EXPECT_FALSE(rises(series({0.1, 0.105})).holds) << "too little to tell";
  EXPECT_FALSE(rises(series({0.3, 0.2})).holds);
  EXPECT_TRUE(falls(series({0.3, 0.2})).holds);
  EXPECT_FALSE(falls(series({0.2})).holds);
}

TEST(Checks, FlatIsATenthOfTheScale) {
  EXPECT_TRUE(is_flat(series({0.30, 0.34, 0.31})).holds);
  EXPECT_FALSE(is_flat(series({0.30, 0.36, 0.31})).holds);
}

TEST(Checks, FlatSaysWhichWayItGoes) {
  EXPECT_EQ(is_flat(series({0.363, 0.345})).value, "0.363 → 0.345; range 0.018; falls");
  EXPECT_EQ(is_flat(series({0.345, 0.363})).value, "0.345 → 0.363; range 0.018; rises");
  EXPECT_EQ(is_flat(series({0.345, 0.340})).value, "0.345 → 0.340; range 0.005");
}

TEST(Checks, ASlightRiseIsNeitherAFallNorALargeOne) {
  EXPECT_TRUE(rises_slightly(series({0.30, 0.33})).holds);
  EXPECT_FALSE(rises_slightly(series({0.33, 0.30})).holds);
  EXPECT_FALSE(rises_slightly(series({0.30, 0.40})).holds);
  EXPECT_FALSE(rises_slightly(series({0.30, 0.40, 0.31})).holds);
}

TEST(Checks, NearHoldsForAllPoints) {
  EXPECT_TRUE(is_near(series({0.45, 0.55}), 0.5, 0.1).holds);
  EXPECT_FALSE(is_near(series({0.45, 0.65}), 0.5, 0.1).holds);
  EXPECT_TRUE(is_near(series({0.9, 0.5}), 0.5, 0.1, 2).holds);
  EXPECT_FALSE(is_near(series({0.5}), 0.5, 0.1, 2).holds) << "no points";
}

TEST(Checks, UpThenDownHasItsTopInside) {
  EXPECT_TRUE(goes_up_then_down(series({0.1, 0.3, 0.2})).holds);
  EXPECT_FALSE(goes_up_then_down(series({0.1, 0.2, 0.3})).holds);
  EXPECT_FALSE(goes_up_then_down(series({0.3, 0.2, 0.1})).holds);
}

TEST(Figure, SurvivesJson) {
  Figure figure{"pvs-2", "PVS figure 2", "It falls.", "k", "U_aul", Look::LogLines};
  figure.charts = {{"heart2020", {{"pvsv", {1, 10}, {0.25, 0.5}, {0.01, 0.02}}}}};
  figure.verdicts = {{"falls", "heart2020", "0.25 → 0.5", false}};
  figure.notes = {"A note."};
  Report report{"pvs_k", "A setting.", {"heart2020: real"}, {"Nothing was left out."}, {figure}, 3};
  std::string json = to_json(report).dump();
  auto parsed = parse_json(json);
  ASSERT_TRUE(parsed);
  auto read = report_from_json(*parsed);
  ASSERT_TRUE(read);
  EXPECT_EQ(to_json(*read).dump(), json);
  EXPECT_EQ(to_markdown(*read), to_markdown(report));
}

TEST(Figure, MarkdownNamesClaimValueAndVerdict) {
  Figure figure{"pvs-2", "PVS figure 2", "It falls.", "k", "U_aul"};
  figure.charts = {{"okcupid", {{"pvsv", {1, 10}, {0.25, 0.5}, {}}}}};
  figure.verdicts = {{"falls with k", "okcupid", "0.250 → 0.500", false}};
  std::string text = to_markdown(figure);
  EXPECT_NE(text.find("| okcupid, by k | 1 | 10 |"), std::string::npos) << text;
  EXPECT_NE(text.find("| pvsv | 0.250 | 0.500 |"), std::string::npos) << text;
  EXPECT_NE(text.find("| falls with k | okcupid | 0.250 → 0.500 | not reproduced |"),
            std::string::npos)
      << text;
}

TEST(Figure, MarkdownCellsMayHoldBars) { EXPECT_EQ(table_row({"|Q|", "b"}), "| \\|Q\\| | b |\n"); }

}  // namespace
}  // namespace rankveil::figures
