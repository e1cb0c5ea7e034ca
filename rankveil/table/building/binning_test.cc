#include "rankveil/table/building/binning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "rankveil/base/random.h"
#include "rankveil/base/testing/sanitized.h"

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_double = std::numeric_limits<double>::max();

std::uint32_t bin_by_counting(const std::vector<double>& edges, double number) {
  return static_cast<std::uint32_t>(
      std::count_if(edges.begin(), edges.end(), [&](double edge) { return edge <= number; }));
}

bool ascends_strictly(const std::vector<double>& edges) {
  return std::adjacent_find(edges.begin(), edges.end(), std::greater_equal<>()) == edges.end();
}

std::vector<std::size_t> bin_sizes(const std::vector<double>& edges,
                                   const std::vector<double>& numbers) {
  std::vector<std::size_t> sizes(edges.size() + 1);
  for (double number : numbers) ++sizes[bin_of(edges, number)];
  return sizes;
}

TEST(BinOf, AnEdgeBelongsToTheBinItOpens) {
  std::vector<double> edges = {18, 25, 35};
  EXPECT_EQ(bin_of(edges, 17.9), 0U);
  EXPECT_EQ(bin_of(edges, 18), 1U);
  EXPECT_EQ(bin_of(edges, 34.9), 2U);
  EXPECT_EQ(bin_of(edges, 35), 3U);
}

TEST(BinOf, InfinitiesFallIntoTheOuterBins) {
  std::vector<double> edges = {-1, 1};
  EXPECT_EQ(bin_of(edges, -infinity), 0U);
  EXPECT_EQ(bin_of(edges, infinity), 2U);
  EXPECT_EQ(bin_of({}, infinity), 0U);
}

TEST(BinOf, AgreesWithCountingEdges) {
  for (std::uint64_t seed = 0; seed < some_of(300U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    std::set<double> distinct;
    for (std::uint64_t i = rng.below(70); i > 0; --i) {
      distinct.insert(static_cast<double>(rng.below(100)));
    }
    std::vector<double> edges(distinct.begin(), distinct.end());
    for (double number = -1; number <= 101; number += 0.5) {
      ASSERT_EQ(bin_of(edges, number), bin_by_counting(edges, number)) << number;
    }
  }
}

TEST(BinLabels, AreWhatPeopleWouldWrite) {
  EXPECT_THAT(bin_labels(std::vector<double>{18, 25, 50}),
              ElementsAre("<18", "18-25", "25-50", ">=50"));
  EXPECT_THAT(bin_labels(std::vector<double>{0.5, 1000000}),
              ElementsAre("<0.5", "0.5-1000000", ">=1000000"));
  EXPECT_THAT(bin_labels(std::vector<double>{-5, -0.0, 5}),
              ElementsAre("<-5", "-5 to 0", "0-5", ">=5"));
  EXPECT_THAT(bin_labels({}), ElementsAre("all"));
}

TEST(LabelledBin, IsTheOneThatANumberFallsInto) {
  for (const std::vector<double>& edges : {std::vector<double>{18, 25, 35.5}, {-5, 0, 5}, {40}}) {
    auto labels = bin_labels(edges);
    for (double number : {-100.0, -5.0, -1.0, 0.0, 17.9, 18.0, 24.0, 35.5, 40.0, 1e6}) {
      EXPECT_EQ(labelled_bin(labels, number), bin_of(edges, number)) << number;
    }
  }
  EXPECT_EQ(labelled_bin(std::vector<std::string>{"<18", "18-25", "old"}, 20), std::nullopt);
  EXPECT_EQ(labelled_bin(std::vector<std::string>{"1", "2"}, 1), std::nullopt);
}

TEST(BinLabels, StayDistinctForNeighbouringDoubles) {
  std::vector<double> edges = {-1};
  for (int i = 0; i < 200; ++i) edges.push_back(std::nextafter(edges.back(), infinity));
  edges.push_back(1e-300);
  for (int i = 0; i < 200; ++i) edges.push_back(std::nextafter(edges.back(), infinity));
  edges.push_back(1e300);
  auto labels = bin_labels(edges);
  EXPECT_EQ(labels.size(), edges.size() + 1);
  EXPECT_EQ(std::set(labels.begin(), labels.end()).size(), labels.size());
}

TEST(EqualWidthEdges, CutARangeEvenly) {
  EXPECT_THAT(equal_width_edges(0, 100, 4), ElementsAre(25, 50, 75));
  EXPECT_THAT(equal_width_edges(-1, 1, 2), ElementsAre(0));
}

TEST(EqualWidthEdges, AreRoundedToReadableNumbers) {
  EXPECT_THAT(equal_width_edges(10, 65, 7), ElementsAre(17.86, 25.71, 33.57, 41.43, 49.29, 57.14));
  EXPECT_THAT(equal_width_edges(12345, 98765, 3), ElementsAre(41200, 70000));
}

TEST(EqualWidthEdges, GiveOneBinWhenThereIsNothingToCut) {
  EXPECT_THAT(equal_width_edges(7, 7, 5), IsEmpty());
  EXPECT_THAT(equal_width_edges(0, 10, 1), IsEmpty());
  EXPECT_THAT(equal_width_edges(0, 10, 0), IsEmpty());
}

TEST(EqualWidthEdges, SurviveTheEndsOfTheDoubles) {
  for (auto [smallest, largest] :
       {std::pair{-infinity, infinity}, std::pair{-largest_double, largest_double},
        std::pair{0.0, std::numeric_limits<double>::denorm_min()},
        std::pair{1.0, std::nextafter(1.0, 2.0)}, std::pair{0.0, largest_double}}) {
    auto edges = equal_width_edges(smallest, largest, 9);
    EXPECT_LE(edges.size(), 8U);
    EXPECT_GE(edges.size(), 1U);
    EXPECT_TRUE(ascends_strictly(edges));
    EXPECT_TRUE(std::all_of(edges.begin(), edges.end(), [](double e) { return std::isfinite(e); }));
  }
}

TEST(EqualWidthEdges, LeaveBinsOfNearlyOneWidthOnRandomRanges) {
  for (std::uint64_t seed = 0; seed < some_of(500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    double smallest = (rng.uniform() - 0.5) * std::pow(10, static_cast<double>(rng.below(9)));
    double range = rng.uniform() * std::pow(10, static_cast<double>(rng.below(9))) + 1e-3;
    auto bins = static_cast<std::uint32_t>(2 + rng.below(30));
    auto edges = equal_width_edges(smallest, smallest + range, bins);
    ASSERT_EQ(edges.size(), bins - 1);
    ASSERT_TRUE(ascends_strictly(edges));
    for (std::uint32_t i = 0; i + 1 < bins; ++i) {
      ASSERT_NEAR(edges[i], smallest + range * (i + 1) / bins, 0.0051 * range / bins);
    }
  }
}

TEST(QuantileEdges, SplitDistinctNumbersEvenly) {
  std::vector<double> numbers = {1, 2, 3, 4, 5, 6, 7, 8};
  auto edges = quantile_edges(numbers, 4);
  EXPECT_THAT(edges, ElementsAre(3, 5, 7));
  EXPECT_THAT(bin_sizes(edges, numbers), ElementsAre(2, 2, 2, 2));
}

TEST(QuantileEdges, KeepEqualNumbersTogether) {
  EXPECT_THAT(quantile_edges(std::vector<double>{0, 0, 0, 0, 0, 0, 1, 2}, 2), ElementsAre(1));
  EXPECT_THAT(quantile_edges(std::vector<double>{0, 1, 1, 1, 1, 1, 1, 1}, 2), ElementsAre(1));
  EXPECT_THAT(quantile_edges(std::vector<double>{5, 5, 5}, 3), IsEmpty());
  EXPECT_THAT(quantile_edges({}, 3), IsEmpty());
}

TEST(QuantileEdges, AreNeverInfinite) {
  EXPECT_THAT(quantile_edges(std::vector<double>{-infinity, -infinity, 3, infinity}, 2),
              ElementsAre(3));
  EXPECT_THAT(quantile_edges(std::vector<double>{1, infinity, infinity, infinity}, 2), IsEmpty());
}

TEST(QuantileEdges, LeaveNoBinEmptyOnRandomNumbers) {
  for (std::uint64_t seed = 0; seed < some_of(500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    std::vector<double> numbers(1 + rng.below(60));
    std::uint64_t distinct = 1 + rng.below(40);
    for (double& number : numbers) number = static_cast<double>(rng.below(distinct));
    std::sort(numbers.begin(), numbers.end());
    auto bins = static_cast<std::uint32_t>(1 + rng.below(12));
    auto edges = quantile_edges(numbers, bins);
    ASSERT_LT(edges.size(), bins);
    ASSERT_TRUE(ascends_strictly(edges));
    ASSERT_THAT(bin_sizes(edges, numbers), testing::Each(testing::Gt(0U)));
    bool can_be_cut = numbers.front() != numbers.back() && bins > 1;
    ASSERT_EQ(edges.empty(), !can_be_cut);
  }
}

TEST(CoarseEdges, KeepTwoDigitsOfTheRange) {
  EXPECT_THAT(
      coarse_edges(std::vector<double>{33871.11, 40833.23, 55120.5}, 21017.4, 98765.43, 77748),
      ElementsAre(34000, 41000, 55000));
  EXPECT_THAT(coarse_edges(std::vector<double>{0.1234, 0.4567}, 0, 0.987, 0.987),
              ElementsAre(0.12, 0.46));
}

TEST(CoarseEdges, DropThoseThatCoincideOrPartNothing) {
  EXPECT_THAT(coarse_edges(std::vector<double>{104.4, 150.6, 151.4, 199.7}, 104, 199, 95),
              ElementsAre(151));
  EXPECT_THAT(coarse_edges({}, 104, 199, 95), IsEmpty());
}

TEST(CoarseEdges, KeepOneWhenAllWouldGo) {
  EXPECT_THAT(coarse_edges(std::vector<double>{3}, 0, 5000, 5000), ElementsAre(100));
  EXPECT_THAT(coarse_edges(std::vector<double>{0.301}, 0.3, 1.3, 1), ElementsAre(0.4));
}

TEST(CoarseEdges, PartRandomNumbers) {
  for (std::uint64_t seed = 0; seed < some_of(500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    std::vector<double> numbers(2 + rng.below(60));
    double scale = std::pow(10, static_cast<double>(rng.below(9)) - 4);
    for (double& number : numbers) number = (rng.uniform() - 0.5) * scale;
    std::sort(numbers.begin(), numbers.end());
    auto exact = quantile_edges(numbers, static_cast<std::uint32_t>(2 + rng.below(12)));
    auto edges = coarse_edges(exact, numbers.front(), numbers.back(), usual_range(numbers));
    ASSERT_GE(edges.size(), 1U);
    ASSERT_LE(edges.size(), exact.size());
    ASSERT_TRUE(ascends_strictly(edges));
    auto sizes = bin_sizes(edges, numbers);
    ASSERT_GT(sizes.front(), 0U);
    ASSERT_GT(sizes.back(), 0U);
  }
}

TEST(UsualRange, IsNotSetByOneOutlier) {
  std::vector<double> numbers(39, 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  numbers.push_back(1e9);
  EXPECT_EQ(usual_range(numbers), 35);
  EXPECT_EQ(usual_range(std::vector<double>{1, 1, 5}), 4);
}

}  // namespace
}  // namespace rankveil
