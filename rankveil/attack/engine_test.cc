#include "rankveil/attack/engine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/base/random.h"
#include "rankveil/base/testing/sanitized.h"

namespace rankveil::attack {
namespace {

constexpr ValueId a{0}, b{1}, c{2}, d{3};

using Rows = std::vector<ScoredRow>;

// The table of the worked vectors: public scores of rows 1 to 7 for (x, p).
std::int64_t score_of(std::uint32_t row) {
  static const std::int64_t scores[] = {0, 4, 4, 4, 3, 1, 3, 4};
  return scores[row];
}

Rows scored(const std::vector<std::uint32_t>& rows) {
  Rows list;
  for (std::uint32_t row : rows) list.push_back({row, score_of(row)});
  return list;
}

struct Worked {
  Ties ties;
  Engine engine;
  std::uint32_t base;

  explicit Worked(ProfileKind kind) : engine({.kind = kind}, 4, 2) {
    base = ties.add_chain(scored({1, 2, 3}));
  }
  void answer(ValueId value, const std::vector<std::uint32_t>& returned) {
    std::vector<std::uint32_t> missing;
    for (std::uint32_t row : {1U, 2U, 3U}) {
      if (std::ranges::find(returned, row) == returned.end()) missing.push_back(row);
    }
    for (std::uint32_t row : returned) {
      if (row > 3) ties.add_missing(base, {row, score_of(row)});
    }
    engine.learn(std::span(&value, 1), scored(returned), scored(missing), ties);
    EXPECT_TRUE(engine.consistent());
  }
};

TEST(Engine, ReadsTheWorkedAnswersOfV1) {
  Worked worked(ProfileKind::OneValue);
  worked.answer(a, {2, 4, 1});
  EXPECT_EQ(worked.engine.verdict(3, a), Verdict::Excluded);
  EXPECT_EQ(worked.engine.verdict(2, a), Verdict::Matched);
  EXPECT_EQ(worked.engine.verdict(4, a), Verdict::Matched);
  EXPECT_EQ(worked.engine.verdict(1, a), Verdict::Excluded);
  worked.answer(b, {1, 2, 3});
  EXPECT_EQ(worked.engine.verdict(3, b), Verdict::Excluded) << "2 has a, so 3 is not b";
  worked.answer(c, {3, 6, 1});
  EXPECT_EQ(worked.engine.verdict(3, c), Verdict::Matched);
  EXPECT_EQ(worked.engine.verdict(3, d), Verdict::Excluded);
  EXPECT_TRUE(worked.engine.resolved(3));
}

TEST(Engine, LeavesImplicationsOpenWhenRowsMayMatchSeveralValues) {
  Worked worked(ProfileKind::Sets);
  worked.answer(a, {2, 4, 1});
  worked.answer(b, {1, 2, 3});
  EXPECT_EQ(worked.engine.verdict(3, b), Verdict::Open);
  worked.answer(d, {7, 1, 2});
  EXPECT_EQ(worked.engine.verdict(3, d), Verdict::Excluded);
}

TEST(Engine, ReadsTheWorkedSetsOfV2) {
  Worked worked(ProfileKind::Sets);
  worked.answer(a, {2, 4, 1});
  worked.answer(b, {1, 3, 2});
  worked.answer(c, {3, 6, 1});
  worked.answer(d, {7, 1, 2});
  EXPECT_EQ(worked.engine.candidates(3), (std::vector{b, c}));
  EXPECT_TRUE(worked.engine.resolved(3));
}

TEST(Engine, SaysNothingOfAnOrderThatStaysV3) {
  Ties ties;
  ties.add_chain(Rows{{1, 0}});
  Engine engine({.kind = ProfileKind::Sets}, 4, 2);
  engine.learn(std::vector{c}, Rows{{2, 0}}, Rows{{1, 0}}, ties);
  engine.learn(std::vector{b}, Rows{{1, 0}}, Rows{{2, 0}}, ties);
  EXPECT_EQ(engine.verdict(2, b), Verdict::Open) << "row 2 matches b";
}

TEST(Engine, DoesNotExcludeAWeakMatchV4) {
  for (std::uint32_t levels : {0U, 2U}) {
    Ties ties;
    auto base = ties.add_chain(Rows{{1, 0}});
    ties.add_missing(base, {2, 0});
    Engine engine({.kind = ProfileKind::Graded, .levels = levels}, 4, 2);
    engine.learn(std::vector{b}, Rows{{2, 0}}, Rows{{1, 0}}, ties);
    EXPECT_EQ(engine.verdict(1, b), Verdict::Open) << "row 1 matches b by a half";
    EXPECT_EQ(engine.verdict(2, b), Verdict::Matched);
    EXPECT_LE(engine.strength(1, b).high, levels == 0 ? 1.0 : 0.5);
  }
}

TEST(Engine, OneStrengthMakesWeakMatchesWhole) {
  Ties ties;
  auto base = ties.add_chain(Rows{{1, 0}});
  ties.add_missing(base, {2, 0});
  Engine engine({.kind = ProfileKind::Graded, .levels = 2, .one_strength = true}, 4, 2);
  engine.learn(std::vector{b}, Rows{{2, 0}}, Rows{{1, 0}}, ties);
  EXPECT_EQ(engine.verdict(1, b), Verdict::Excluded);
  EXPECT_EQ(engine.strength(2, b).low, 0.5);
}

TEST(Engine, ReportsAnswersThatCannotBe) {
  Ties ties;
  Engine engine({}, 4, 2);
  engine.learn(std::vector{a}, Rows{{1, 0}, {2, 5}}, Rows{}, ties);
  EXPECT_FALSE(engine.consistent()) << "a match is worth 2, the gap is 5";
}

TEST(Engine, ReportsARowWithTwoValues) {
  Engine engine({}, 4, 2);
  engine.set_matched(1, a);
  EXPECT_EQ(engine.verdict(1, b), Verdict::Excluded);
  engine.set_matched(1, b);
  EXPECT_FALSE(engine.consistent());
}

TEST(Engine, ReadsChangedPlacesWithoutScores) {
  Engine engine({.kind = ProfileKind::Sets}, 4, 2);
  engine.learn_flips(std::vector{a}, std::vector<std::uint32_t>{1, 2, 3},
                     std::vector<std::uint32_t>{1, 3, 4});
  EXPECT_EQ(engine.verdict(3, a), Verdict::Matched);
  EXPECT_EQ(engine.verdict(4, a), Verdict::Matched);
  EXPECT_EQ(engine.verdict(2, a), Verdict::Excluded);
  EXPECT_EQ(engine.verdict(1, a), Verdict::Open);
}

TEST(Engine, AWeakerFlipDoesNotExcludeWhenGraded) {
  Engine engine({.kind = ProfileKind::Graded, .levels = 3}, 4, 2);
  engine.learn_flips(std::vector{a}, std::vector<std::uint32_t>{1, 2},
                     std::vector<std::uint32_t>{2, 1});
  EXPECT_EQ(engine.verdict(2, a), Verdict::Matched);
  EXPECT_EQ(engine.verdict(1, a), Verdict::Open);
}

TEST(Engine, WhatIsLeftOfAMatchedSetIsMatched) {
  Engine engine({.kind = ProfileKind::Sets}, 4, 2);
  Ties ties;
  Rows up = {{1, 0}, {2, 1}}, down = {{2, 1}, {1, 0}};
  engine.learn(std::vector{a, b}, up, Rows{}, ties);
  EXPECT_EQ(engine.verdict(1, std::vector{a, b}), Verdict::Matched);
  EXPECT_EQ(engine.verdict(1, a), Verdict::Open);
  engine.set_matched(3, a);
  engine.learn(std::vector{a}, Rows{{3, -1}, {1, 0}}, Rows{}, ties);
  EXPECT_EQ(engine.verdict(1, a), Verdict::Excluded);
  EXPECT_EQ(engine.verdict(1, b), Verdict::Matched);
}

TEST(Engine, StrengthsOfASetAddUp) {
  // Row 2 has no strength to give: it is excluded. Row 1 matches {a, b} in full and a by no more
  // than a third.
  Engine engine({.kind = ProfileKind::Graded, .levels = 3}, 4, 3);
  engine.learn(std::vector{a, b}, Rows{{1, 0}, {2, 3}}, Rows{}, Ties{});
  engine.learn(std::vector{a}, Rows{{3, 0}, {1, 2}}, Rows{}, Ties{});
  engine.learn(std::vector{b}, Rows{{1, 0}}, Rows{}, Ties{});
  EXPECT_DOUBLE_EQ(engine.strength(1, a).high, 1.0 / 3);
  EXPECT_DOUBLE_EQ(engine.strength(1, b).low, 2.0 / 3);
  EXPECT_EQ(engine.verdict(1, b), Verdict::Matched);
  EXPECT_EQ(engine.verdict(2, a), Verdict::Excluded);
}

TEST(Engine, AnswersInACircleAreNoticedAtOnce) {
  Engine engine({.kind = ProfileKind::Graded}, 4, 1'000'000'000);
  engine.learn(std::vector{a}, Rows{{1, 0}, {2, 1}}, Rows{}, Ties{});
  engine.learn(std::vector{a}, Rows{{2, 0}, {1, 1}}, Rows{}, Ties{});
  EXPECT_FALSE(engine.consistent());
}

TEST(Engine, TheLastValueLeftIsMatchedOnlyIfThereMustBeOne) {
  for (bool none_missing : {false, true}) {
    Engine engine({.none_missing = none_missing}, 2, 2);
    engine.set_matched(2, a);
    engine.learn(std::vector{a}, Rows{{2, 0}, {1, 1}}, Rows{}, Ties{});
    EXPECT_EQ(engine.verdict(1, a), Verdict::Excluded);
    EXPECT_EQ(engine.verdict(1, b), none_missing ? Verdict::Matched : Verdict::Open);
  }
}

// All rows of a small ranking, one known chain of ties, one answer: the verdicts are exactly what
// all profiles have in common that fit the answer.
struct OneAnswer {
  Rows returned, missing;
  Ties ties;

  OneAnswer(Rng& rng, std::uint32_t count) {
    std::vector<std::int64_t> scores;
    std::vector<std::uint32_t> order(count);
    std::vector<int> truth;
    for (std::uint32_t row = 0; row < count; ++row) {
      order[row] = row;
      scores.push_back(static_cast<std::int64_t>(rng.below(4)));
      truth.push_back(static_cast<int>(rng.below(2)));
    }
    for (std::uint32_t row = count; row > 1; --row)
      std::swap(order[row - 1], order[rng.below(row)]);
    std::vector<std::uint32_t> ranked = order;  // `order` is that of ties
    auto by_score = [&](auto left, auto right) { return scores[left] > scores[right]; };
    std::stable_sort(ranked.begin(), ranked.end(), by_score);
    auto k = 1 + rng.below(count);
    Rows shown;
    for (std::size_t i = 0; i < k; ++i) shown.push_back({ranked[i], scores[ranked[i]]});
    auto chain = ties.add_chain(shown);
    for (std::size_t i = k; i < count; ++i) ties.add_missing(chain, {ranked[i], scores[ranked[i]]});
    ranked = order;
    auto by_match = [&](auto left, auto right) {
      return scores[left] + weight * truth[left] > scores[right] + weight * truth[right];
    };
    std::stable_sort(ranked.begin(), ranked.end(), by_match);
    for (std::size_t i = 0; i < count; ++i) {
      (i < k ? returned : missing).push_back({ranked[i], scores[ranked[i]]});
    }
  }

  bool may_precede(const ScoredRow& first, const ScoredRow& second, std::uint32_t bits) const {
    std::int64_t lead = first.score + weight * ((bits >> first.slot) & 1) - second.score -
                        weight * ((bits >> second.slot) & 1);
    return lead > 0 || (lead == 0 && !ties.before(second.slot, first.slot));
  }
  bool fits(std::uint32_t bits) const {
    for (std::size_t i = 0; i < returned.size(); ++i) {
      for (std::size_t j = i + 1; j < returned.size(); ++j) {
        if (!may_precede(returned[i], returned[j], bits)) return false;
      }
      for (const ScoredRow& row : missing) {
        if (!may_precede(returned[i], row, bits)) return false;
      }
    }
    return true;
  }
  static constexpr std::int64_t weight = 2;
};

TEST(Engine, ReadsAllThatOneAnswerTellsAndNoMore) {
  std::size_t proven = 0;
  for (std::uint64_t seed = 0; seed < some_of(3000U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto count = static_cast<std::uint32_t>(2 + rng.below(7));
    OneAnswer answer(rng, count);
    std::uint32_t always = ~0U, ever = 0;
    for (std::uint32_t bits = 0; bits < (1U << count); ++bits) {
      if (!answer.fits(bits)) continue;
      always &= bits;
      ever |= bits;
    }
    Engine engine({.kind = ProfileKind::Sets}, 4, OneAnswer::weight);
    engine.learn(std::vector{b}, answer.returned, answer.missing, answer.ties);
    ASSERT_TRUE(engine.consistent());
    for (std::uint32_t row = 0; row < count; ++row) {
      Verdict expected = ((always >> row) & 1) != 0 ? Verdict::Matched
                         : ((ever >> row) & 1) == 0 ? Verdict::Excluded
                                                    : Verdict::Open;
      ASSERT_EQ(engine.verdict(row, b), expected) << "row " << row;
      proven += expected != Verdict::Open;
    }
  }
  EXPECT_GT(proven, some_of(1000U));
}

TEST(Engine, SoftEvidenceLeansTowardsRowsThatWereNotPassed) {
  Engine engine({}, 4, 2);
  engine.learn(std::vector{a}, Rows{{1, 5}, {2, 4}, {3, 3}}, Rows{}, Ties{});
  EXPECT_EQ(engine.verdict(2, a), Verdict::Open);
  EXPECT_LT(engine.soft_evidence(3, a, 0.1), 0) << "two rows within reach were not passed";
  EXPECT_GT(engine.soft_evidence(1, a, 0.1), 0) << "two rows within reach did not pass";
}

}  // namespace
}  // namespace rankveil::attack
