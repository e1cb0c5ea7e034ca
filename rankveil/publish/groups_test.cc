#include "rankveil/publish/groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/publish/methods/method.h"
#include "rankveil/publish/testing/plain_methods.h"

namespace rankveil::publish {
namespace {

using testing::ElementsAre;

// Rows of numbers; scores are their sums.
Points points_of(const std::vector<std::vector<double>>& rows) {
  Points points;
  points.columns.resize(rows.front().size());
  for (const auto& row : rows) {
    double sum = 0;
    for (std::size_t d = 0; d < row.size(); ++d) {
      points.columns[d].push_back(row[d]);
      sum += row[d];
    }
    points.scores.push_back(sum);
  }
  return points;
}

// The applicants of the thesis' figure 1; row 0 is applicant 1.
Points applicants() {
  return points_of({{99, 99, 99},
                    {96, 98, 99},
                    {92, 97, 95},
                    {96, 96, 90},
                    {98, 89, 94},
                    {97, 95, 88},
                    {96, 95, 88},
                    {98, 90, 91},
                    {92, 96, 90},
                    {97, 89, 90}});
}

// The points of its figure 4: A to L.
Points letters() {
  return points_of({{1, 1},
                    {1, .6},
                    {.5, 1},
                    {.7, .8},
                    {.8, .65},
                    {.7, .7},
                    {.3, .7},
                    {.5, .7},
                    {.6, .6},
                    {.6, .4},
                    {.7, .3},
                    {.4, .9}});
}

// All rows in a box, but for some that are set aside.
std::vector<Row> inside(const Points& points, const Box& box, const std::set<Row>& aside = {}) {
  std::vector<Row> rows;
  for (Row row = 0; row < points.rows(); ++row) {
    if (!aside.contains(row) && box.holds(points, row)) rows.push_back(row);
  }
  return rows;
}

Formed formed(const Points& points, const Demand& demand) {
  auto result = form_groups(points, demand);
  EXPECT_TRUE(result) << result.error().message;
  return *result;
}

TEST(WorkedExamples, TheFirstThreeApplicantsAreABoxOfTheirOwn) {
  Points points = applicants();
  Box box = box_around(points, std::vector<Row>{0, 1, 2});
  EXPECT_EQ(box, (Box{{92, 97, 95}, {99, 99, 99}}));
  EXPECT_THAT(inside(points, box), ElementsAre(0, 1, 2));
}

TEST(WorkedExamples, TheNextThreeBringThreeOthersAlong) {
  Points points = applicants();
  Box box = box_around(points, std::vector<Row>{3, 4, 5});
  EXPECT_EQ(box, (Box{{96, 89, 88}, {98, 96, 94}}));
  EXPECT_THAT(inside(points, box, {0, 1, 2}), ElementsAre(3, 4, 5, 6, 7, 9));
}

// With the first three set aside, what is left is a table of its own.
TEST(WorkedExamples, GreedyDeletionFindsTheSecondGroupOfKArq) {
  Points all = applicants();
  std::vector<std::vector<double>> rest;
  for (Row row = 3; row < all.rows(); ++row) {
    rest.push_back({all.columns[0][row], all.columns[1][row], all.columns[2][row]});
  }
  Points points = points_of(rest);
  for (const char* method : {"greedy-deletion", "theta", "theta-rapid", "exact"}) {
    Formed found = formed(points, {.top = 3, .k = 3, .precision = 0.6, .method = method});
    ASSERT_EQ(found.groups.size(), 1U) << method;
    const Group& group = found.groups[0];
    EXPECT_EQ(group.box, (Box{{96, 95, 88}, {97, 96, 90}}));
    EXPECT_EQ(group.score_low, 279);
    EXPECT_EQ(group.score_high, 282);
    EXPECT_THAT(group.members, ElementsAre(0, 2, 3));  // applicants 4, 6 and 7
    EXPECT_DOUBLE_EQ(group.precision(), 2.0 / 3);
  }
  Formed recall = formed(points, {.top = 3, .k = 3, .precision = 0.5, .method = "perfect-recall"});
  ASSERT_EQ(recall.groups.size(), 1U);
  EXPECT_EQ(recall.groups[0].box, (Box{{96, 89, 88}, {98, 96, 94}}));
  EXPECT_EQ(recall.groups[0].score_low, 276);
  EXPECT_EQ(recall.groups[0].score_high, 282);
  EXPECT_DOUBLE_EQ(recall.groups[0].precision(), 0.5);
}

TEST(WorkedExamples, TheFirstThreeApplicantsHaveThatScoreRange) {
  Formed found =
      formed(applicants(), {.top = 3, .k = 3, .precision = 1, .method = "perfect-recall"});
  ASSERT_EQ(found.groups.size(), 1U);
  EXPECT_EQ(found.groups[0].score_low, 284);
  EXPECT_EQ(found.groups[0].score_high, 297);
  EXPECT_EQ(found.groups[0].precision(), 1);
}

// Figure 6.
TEST(WorkedExamples, MondrianSplitsAtTheMedianOfTheFirstCourse) {
  Formed found = formed(applicants(), {.top = 6, .k = 3, .precision = 0.1, .method = "mondrian"});
  ASSERT_EQ(found.groups.size(), 2U);
  EXPECT_EQ(found.groups[0].box, (Box{{92, 96, 90}, {96, 98, 99}}));
  EXPECT_EQ(found.groups[1].box, (Box{{97, 89, 88}, {99, 99, 99}}));
}

TEST(WorkedExamples, PerfectRecallHoldsTwoMoreLetters) {
  Formed found =
      formed(letters(), {.top = 6, .k = 3, .precision = 0.75, .method = "perfect-recall"});
  ASSERT_EQ(found.groups.size(), 1U);
  EXPECT_DOUBLE_EQ(found.top.threshold, 1.4);
  EXPECT_EQ(found.groups[0].box, (Box{{.5, .6}, {1, 1}}));
  EXPECT_THAT(found.groups[0].members, ElementsAre(0, 1, 2, 3, 4, 5, 7, 8));
  EXPECT_DOUBLE_EQ(found.groups[0].precision(), 0.75);
}

TEST(WorkedExamples, PerfectPrecisionHoldsTheTopAndNobodyElse) {
  Formed found =
      formed(letters(), {.top = 6, .k = 3, .precision = 1, .method = "perfect-precision"});
  ASSERT_EQ(found.groups.size(), 1U);
  EXPECT_THAT(found.groups[0].members, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_DOUBLE_EQ(*found.groups[0].least_score, 1.4);
}

TEST(WorkedExamples, GreedyDeletionRemovesCFirst) {
  Formed found =
      formed(letters(), {.top = 6, .k = 3, .precision = 0.8, .method = "greedy-deletion"});
  ASSERT_GE(found.groups.size(), 1U);
  EXPECT_THAT(found.groups[0].members, ElementsAre(0, 1, 3, 4, 5));
  EXPECT_EQ(found.groups[0].precision(), 1);
}

// Figure 8 as corrected: A, then F, which brings D along, then B with E; C would bring H and I.
TEST(WorkedExamples, GreedyInsertionGrowsFromA) {
  Formed found =
      formed(letters(), {.top = 6, .k = 3, .precision = 1, .method = "greedy-insertion"});
  ASSERT_GE(found.groups.size(), 1U);
  EXPECT_THAT(found.groups[0].members, ElementsAre(0, 1, 3, 4, 5));
}

TEST(Groups, TiesAtTheEndOfTheTopAreInOrOut) {
  Points points = points_of({{9}, {5}, {7}, {5}, {5}, {1}});
  EXPECT_THAT(find_top(points, 3, Ties::Include).rows, ElementsAre(0, 2, 1, 3, 4));
  EXPECT_EQ(find_top(points, 3, Ties::Include).tied, 2U);
  EXPECT_THAT(find_top(points, 3, Ties::Cut).rows, ElementsAre(0, 2, 1));
  EXPECT_EQ(find_top(points, 3, Ties::Cut).tied, 2U);
}

TEST(Groups, TheTopOfALongTableIsThatOfSortingIt) {
  Rng rng(7);
  Points points;
  points.columns.resize(1);
  for (int i = 0; i < 100'000; ++i) {
    // Rising scores mislead a sample that takes every n-th; few values make ties.
    points.columns[0].push_back(static_cast<double>(rng.below(5000)) + i / 1000.0);
  }
  points.scores = points.columns[0];
  std::vector<Row> rows(points.rows());
  for (Row row = 0; row < points.rows(); ++row) rows[row] = row;
  std::ranges::stable_sort(rows, std::greater<>(), [&](Row row) { return points.scores[row]; });
  for (std::uint32_t k : {1U, 10U, 1000U, 5000U, 50'000U}) {
    Top top = find_top(points, k, Ties::Cut);
    EXPECT_EQ(top.rows, std::vector<Row>(rows.begin(), rows.begin() + k)) << k;
  }
}

TEST(Groups, RowsWithoutAScoreLieInNoBox) {
  Points points = points_of({{9, 9}, {8, 8}, {7, 7}, {8, 7}});
  points.columns[0][3] = std::numeric_limits<double>::quiet_NaN();
  points.scores[3] = no_score;
  Formed found = formed(points, {.top = 3, .k = 2, .precision = 1, .method = "perfect-recall"});
  ASSERT_EQ(found.groups.size(), 1U);
  EXPECT_THAT(found.groups[0].members, ElementsAre(0, 1, 2));
}

// Runs a method's first group only through its plain twin, then removes it from both.
void expect_like_plain(const char* method,
                       std::optional<Box> (*plain_method)(const plain::Left&, const Demand&)) {
  for (std::uint64_t seed = 0; seed < some_of(1500U); ++seed) {
    SCOPED_TRACE(testing::Message() << method << ", seed " << seed);
    Rng rng(seed);
    Points points = plain::random_points(rng, 60);
    Demand demand = plain::random_demand(rng, points, 14);
    demand.method = method;
    Formed found = formed(points, demand);
    plain::Left left(points, found.top);
    for (const Group& group : found.groups) {
      auto box = plain_method(left, demand);
      ASSERT_TRUE(box);
      ASSERT_EQ(group.box, *box);
      left.remove(*box);
    }
    if (!left.positives.empty()) {
      ASSERT_FALSE(plain_method(left, demand));
    }
  }
}

TEST(Groups, GreedyDeletionEqualsItsDefinition) {
  expect_like_plain("greedy-deletion", plain::greedy_deletion);
}

TEST(Groups, GreedyInsertionEqualsItsDefinition) {
  expect_like_plain("greedy-insertion", plain::greedy_insertion);
}

TEST(Groups, ExactEqualsAllSubsets) {
  for (std::uint64_t seed = 0; seed < some_of(1500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Points points = plain::random_points(rng, 40);
    Demand demand = plain::random_demand(rng, points, 9);
    demand.method = "exact";
    Formed found = formed(points, demand);
    if (found.top.rows.size() > 12) continue;
    plain::Left left(points, found.top);
    auto best = plain::best_of_all_subsets(left, demand);
    ASSERT_EQ(best.has_value(), !found.groups.empty());
    if (!best) continue;
    EXPECT_EQ(found.groups[0].true_positives, best->positives);
    EXPECT_EQ(found.groups[0].members.size(), best->members);
  }
}

// PerfectPrecision cuts by the score, which a box cannot.
TEST(Groups, NoBoxBeatsExact) {
  for (std::uint64_t seed = 0; seed < some_of(1500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Points points = plain::random_points(rng, 80);
    Demand demand = plain::random_demand(rng, points, 14);
    demand.method = "exact";
    Formed best = formed(points, demand);
    ASSERT_FALSE(best.gave_up);
    for (const Method& method : methods()) {
      if (method.name == "perfect-precision") continue;
      demand.method = method.name;
      Formed found = formed(points, demand);
      if (found.groups.empty()) continue;
      ASSERT_FALSE(best.groups.empty()) << method.name;
      EXPECT_LE(found.groups[0].true_positives, best.groups[0].true_positives) << method.name;
    }
  }
}

TEST(Groups, TheSameSeedGivesTheSameAnswer) {
  Rng rng(3);
  for (int i = 0; i < 50; ++i) {
    Points points = plain::random_points(rng, 80);
    Demand demand = plain::random_demand(rng, points, 20);
    for (const char* method : {"grasp", "theta", "theta-rapid"}) {
      demand.method = method;
      Formed one = formed(points, demand);
      Formed other = formed(points, demand);
      ASSERT_EQ(one.groups.size(), other.groups.size());
      for (std::size_t g = 0; g < one.groups.size(); ++g) {
        EXPECT_EQ(one.groups[g].members, other.groups[g].members);
      }
    }
  }
}

TEST(Groups, ExactSaysWhenItGivesUp) {
  Rng rng(5);
  Points points = plain::random_points(rng, 80);
  points.columns.clear();
  for (int d = 0; d < 5; ++d) {
    points.columns.emplace_back();
    for (Row row = 0; row < points.rows(); ++row) points.columns.back().push_back(rng.uniform());
  }
  for (Row row = 0; row < points.rows(); ++row) {
    points.scores[row] = 0;
    for (const auto& column : points.columns) points.scores[row] += column[row];
  }
  std::uint32_t top = points.rows() / 2;
  Demand demand{.top = top, .k = 3, .precision = 1, .method = "exact", .node_budget = 10};
  Formed found = formed(points, demand);
  EXPECT_TRUE(found.gave_up);
  EXPECT_TRUE(found.groups.empty());
}

TEST(Groups, TheNearestDemandIsMet) {
  int tried = 0;
  for (std::uint64_t seed = 0; seed < some_of(400U); ++seed) {
    Rng rng(seed);
    Points points = plain::random_points(rng, 60);
    Demand demand = plain::random_demand(rng, points, 12);
    demand.method = "greedy-deletion";
    if (!formed(points, demand).groups.empty()) continue;
    Nearest nearest = nearest_demand(points, demand);
    ++tried;
    Demand weaker = demand;
    if (nearest.precision) {
      weaker.precision = *nearest.precision;
      EXPECT_LT(weaker.precision, demand.precision);
      EXPECT_FALSE(formed(points, weaker).groups.empty());
    }
    weaker = demand;
    if (nearest.k) {
      weaker.k = *nearest.k;
      EXPECT_LT(weaker.k, demand.k);
      EXPECT_FALSE(formed(points, weaker).groups.empty());
    }
  }
  EXPECT_GT(tried, some_of(20));
}

TEST(Groups, DemandsThatNoTableCanMeetAreRefused) {
  Points points = letters();
  auto says = [&](const Demand& demand) {
    auto result = form_groups(points, demand);
    return result ? std::string() : result.error().message;
  };
  EXPECT_EQ(says({.top = 6, .k = 13}),
            "k is 13 and the table has 12 rows; no group can have so many members");
  EXPECT_EQ(says({.top = 13, .k = 3}), "the top 13 of 12 rows cannot be had; ask for 12 at most");
  EXPECT_EQ(says({.top = 6, .k = 3, .precision = 1.5}),
            "a precision of 1.5 cannot be had; use a number above 0 and up to 1");
  EXPECT_EQ(says({.top = 6, .k = 1}), "k = 1 hides nobody; use 2 or more");
  EXPECT_EQ(says({.top = 6, .k = 3, .method = "thetarapid"}),
            "there is no method \"thetarapid\"; did you mean theta-rapid?");
}

}  // namespace
}  // namespace rankveil::publish
