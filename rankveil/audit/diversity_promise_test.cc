#include "rankveil/audit/diversity_promise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil::audit {
namespace {

using publish::ColumnGuess;
using publish::Publication;
using testing::HasSubstr;

using Counts = std::vector<std::pair<std::string, std::uint64_t>>;

// A publication that shows pay in groups, and what is guessed by whoever places people in all.
struct Shown {
  Publication publication;
  ColumnGuess guess;

  Shown(const std::vector<Counts>& groups, const connect::TextColumn& pay,
        const publish::Diversity& diversity) {
    publication.diversity = diversity;
    std::vector<publish::Placement> victims;
    for (const Counts& counts : groups) {
      publish::PublishedGroup& group = publication.groups.emplace_back();
      group.sensitive = {{.column = "pay", .values = counts}};
      victims.push_back({0, publication.groups.size() - 1});
    }
    guess = guess_column(pay, publication.groups, victims);
  }

  Promise promise() const { return diversity_promise(publication, guess); }
  DiversityVerdict verdict() const { return judge_diversity(publication, guess); }
};

// Half of all are low, a quarter each middle and high.
connect::TextColumn pay_column() {
  return {"pay", {"low", "middle", "high"}, {0, 0, 0, 0, 1, 1, 2, 2}};
}

Shown even(const publish::Diversity& diversity) {
  return {{{{"high", 2}, {"low", 2}}}, pay_column(), diversity};
}

TEST(DiversityPromise, BoundsTheSurestGuess) {
  EXPECT_DOUBLE_EQ(even({.distinct = 3}).promise().bound, 0.5);   // 2, 1 and 1 of 4
  EXPECT_NEAR(even({.entropy = 4}).promise().bound, 0.25, 1e-6);  // all different
  EXPECT_EQ(even({.entropy = 5}).promise().bound, 0) << "4 members never reach it";
  EXPECT_DOUBLE_EQ(even({.closeness = 0.2}).promise().bound, 0.7);  // low: 0.5 in the table
  double bound = even({.entropy = 2}).promise().bound;
  EXPECT_GT(bound, 0.5) << "even halves have an entropy of ln 2";
  EXPECT_LT(bound, 1);
  EXPECT_EQ(even({}).promise().kind, PromiseKind::None);
}

TEST(DiversityPromise, ClosenessOfNumbersPromisesNothing) {
  connect::TextColumn numbers = pay_column();
  numbers.values = {"1", "2", "3"};
  Shown shown({{{"1", 2}, {"2", 2}}}, numbers, {.closeness = 0.1});
  EXPECT_EQ(shown.promise().kind, PromiseKind::None);
  shown.publication.diversity.distinct = 2;
  EXPECT_DOUBLE_EQ(shown.promise().bound, 0.75) << "the other tests do";
}

TEST(DiversityPromise, EachGroupHasABoundOfItsOwn) {
  const Counts large = {{"high", 1}, {"low", 8}, {"middle", 1}};  // 0.8, and 0.8 is allowed
  const Counts small = {{"high", 1}, {"low", 3}};                 // 0.75, and 0.5 is allowed
  Shown shown({large, small}, pay_column(), {.distinct = 3});
  EXPECT_DOUBLE_EQ(shown.promise().bound, 0.8);
  EXPECT_FALSE(shown.verdict().is_kept);
  EXPECT_EQ(shown.verdict().reason,
            "in group 2 a guess is right with probability 0.750; 0.500 is allowed");
  EXPECT_TRUE(Shown({large}, pay_column(), {.distinct = 3}).verdict().is_kept);
}

TEST(DiversityPromise, NearlyAllOfALargeGroupMayHaveOneValue) {
  Shown shown({{{"high", 1}, {"low", 4983}}}, pay_column(), {.distinct = 2});
  EXPECT_TRUE(shown.verdict().is_kept);
  Shown certain({{{"low", 4984}}}, pay_column(), {.distinct = 2});
  EXPECT_FALSE(certain.verdict().is_kept);
}

TEST(DiversityPromise, ClosenessIsComparedValueByValue) {
  Shown far({{{"high", 3}, {"low", 3}}}, pay_column(), {.closeness = 0.2});
  EXPECT_FALSE(far.verdict().is_kept) << "high rises from 0.25 to 0.5, below the bound of 0.7";
  EXPECT_THAT(far.verdict().reason, HasSubstr("0.250 more than in the table; 0.200 is allowed"));
  Shown near({{{"high", 1}, {"low", 2}, {"middle", 1}}}, pay_column(), {.closeness = 0.2});
  EXPECT_TRUE(near.verdict().is_kept);
}

TEST(DiversityPromise, ARangeIsBrokenWhenOneValueLiesInIt) {
  connect::TextColumn numbers = pay_column();
  numbers.values = {"1", "2", "3"};
  Shown shown({{}}, numbers, {.distinct = 2});
  auto judge = [&](double low, double high) {
    shown.publication.groups[0].members = 4;
    shown.publication.groups[0].sensitive[0].range = publish::Range{low, high};
    std::vector<publish::Placement> victims = {{0, 0}};
    shown.guess = guess_column(numbers, shown.publication.groups, victims);
    return shown.verdict();
  };
  EXPECT_TRUE(judge(1, 3).is_kept);
  EXPECT_FALSE(judge(2, 2).is_kept);
  EXPECT_FALSE(judge(1.5, 2.5).is_kept) << "the table has only 2 there";
}

}  // namespace
}  // namespace rankveil::audit
