#include "rankveil/promise/hypergeometric.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "rankveil/base/random.h"

namespace rankveil {
namespace {

// Every choice of `drawn` of `all`, of which the first `marked` have the mark.
double counted_tail(std::uint32_t all, std::uint32_t marked, std::uint32_t drawn,
                    std::uint32_t count) {
  double hits = 0, choices = 0;
  for (std::uint32_t set = 0; set < 1U << all; ++set) {
    if (std::popcount(set) != static_cast<int>(drawn)) continue;
    ++choices;
    auto own = static_cast<std::uint32_t>(std::popcount(set & ((1U << marked) - 1)));
    if (own >= count) ++hits;
  }
  return hits / choices;
}

TEST(HypergeometricTail, CountsChoices) {
  for (std::uint32_t all = 1; all <= 9; ++all) {
    for (std::uint32_t marked = 0; marked <= all; ++marked) {
      for (std::uint32_t drawn = 0; drawn <= all; ++drawn) {
        for (std::uint32_t count = 0; count <= drawn + 1; ++count) {
          ASSERT_NEAR(hypergeometric_tail(all, marked, drawn, count),
                      counted_tail(all, marked, drawn, count), 1e-12)
              << all << " " << marked << " " << drawn << " " << count;
        }
      }
    }
  }
}

TEST(HypergeometricTail, IsTinyWhereAllThatWereDrawnAreOfARareKind) {
  EXPECT_LT(hypergeometric_tail(10'000, 376, 376, 376), 1e-300);
  EXPECT_GT(hypergeometric_tail(10'000, 4'000, 10, 4), 0.3);
}

using Kinds = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

std::uint64_t agreed(const Kinds& kinds) {
  std::uint64_t sum = 0;
  for (const auto& [first, second] : kinds) sum += std::min(first, second);
  return sum;
}

TEST(AgreementTail, BoundsWhatChanceDoes) {
  const std::vector<std::uint64_t> sizes = {6, 4, 4, 3, 2, 2, 2};
  std::vector<std::size_t> kind_of;
  for (std::size_t i = 0; i < sizes.size(); ++i) kind_of.insert(kind_of.end(), sizes[i], i);
  Rng rng(5);
  constexpr int rounds = 20'000;
  std::vector<Kinds> drawn;
  for (int round = 0; round < rounds; ++round) {
    Kinds kinds(sizes.size());
    std::vector<std::size_t> left = kind_of;
    for (std::size_t i = 0; i < kind_of.size(); ++i) {
      std::swap(left[i], left[i + rng.below(left.size() - i)]);
      (i < 11 ? kinds[left[i]].first : kinds[left[i]].second)++;
    }
    drawn.push_back(std::move(kinds));
  }
  for (std::uint64_t seen = 5; seen <= 11; ++seen) {
    double share = 0, bound = 1;
    for (const Kinds& kinds : drawn) {
      if (agreed(kinds) >= seen) ++share;
      if (agreed(kinds) == seen && bound == 1) bound = agreement_tail(kinds);
    }
    EXPECT_GE(bound, share / rounds) << seen;
  }
}

TEST(AgreementTail, SeesTheSamePeopleTwice) {
  EXPECT_LT(agreement_tail(Kinds(40, {1, 1})), 1e-6) << "forty people whom nobody is like";
  Kinds two(20, {25, 25});
  EXPECT_LT(agreement_tail(two), 1e-6) << "five hundred in twenty kinds";
  Kinds others;
  Rng rng(3);
  for (int i = 0; i < 20; ++i) others.emplace_back(20 + rng.below(11), 20 + rng.below(11));
  EXPECT_GT(agreement_tail(others), 1e-3) << "two draws of the same kinds";
  EXPECT_GT(agreement_tail(Kinds(200, {1, 0})), 0.9) << "nobody in common";
}

}  // namespace
}  // namespace rankveil
