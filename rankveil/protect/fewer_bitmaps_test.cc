#include "rankveil/protect/fewer_bitmaps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "rankveil/protect/profile_merger.h"
#include "rankveil/protect/protect_tables.h"
#include "rankveil/protect/scheme.h"

namespace rankveil {
namespace {

using testing_support::OwnTask;

ValueId value_id(std::uint32_t value) { return ValueId{static_cast<std::uint16_t>(value)}; }

std::uint32_t below(Rng& rng, std::uint32_t bound) {
  return static_cast<std::uint32_t>(rng.below(bound));
}

std::uint32_t distance(std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; }

// By trying all sums.
std::uint32_t plain_nearest(std::uint32_t level, std::uint32_t bits, std::uint32_t levels) {
  std::uint32_t best = 0;
  for (std::uint32_t sum = 0; sum <= levels; ++sum) {
    bool is_sum = (sum & bits) == sum;
    if (is_sum && distance(sum, level) < distance(best, level)) best = sum;
  }
  return best;
}

std::uint64_t plain_error(const std::vector<std::uint32_t>& rows, std::uint32_t bits) {
  auto levels = static_cast<std::uint32_t>(rows.size() - 1);
  std::uint64_t error = 0;
  for (std::uint32_t level = 0; level <= levels; ++level) {
    std::uint64_t off = distance(level, plain_nearest(level, bits, levels));
    error += rows[level] * off * off;
  }
  return error;
}

TEST(NearestSum, IsTheNearestOfAllSums) {
  for (std::uint32_t levels : {1U, 4U, 15U, 20U, 31U}) {
    for (std::uint32_t bits = 0; bits < 32; ++bits) {
      for (std::uint32_t level = 0; level <= levels; ++level) {
        EXPECT_EQ(nearest_sum(level, bits, levels), plain_nearest(level, bits, levels))
            << level << " of " << levels << " in " << bits;
      }
    }
  }
}

TEST(BestBits, FitTheLevelsOfTheRows) {
  std::vector<std::uint32_t> rows(16, 0);
  EXPECT_EQ(best_bits(rows, 2, 0), 0U);
  rows[1] = rows[2] = rows[6] = 5;
  EXPECT_EQ(best_bits(rows, 2, 0), 2U + 4U);
  EXPECT_EQ(best_bits(rows, 3, 0), 1U + 2U + 4U);
  EXPECT_EQ(best_bits(rows, 4, 0), 1U + 2U + 4U);  // no bit that nobody uses
  rows[1] = 50;
  EXPECT_EQ(best_bits(rows, 2, 0), 1U + 4U);
  EXPECT_EQ(best_bits(rows, 2, 8), 1U + 8U);
  EXPECT_EQ(best_bits(rows, 2, 2 + 4 + 8), 2U + 4U + 8U);
}

TEST(BestBits, NoOthersHaveASmallerError) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    std::uint32_t levels = seed % 3 == 0 ? 15 : 1 + below(rng, 40);
    std::vector<std::uint32_t> rows(levels + 1);
    for (auto& count : rows) count = below(rng, 3) == 0 ? below(rng, 1000) : 0;
    auto all = static_cast<std::uint32_t>(std::bit_width(levels));
    std::uint32_t most = 1 + below(rng, all);
    std::uint32_t before = below(rng, 2) == 0 ? 0 : below(rng, 1U << all);
    std::uint32_t best = best_bits(rows, most, before);
    std::uint64_t error = plain_error(rows, best);
    int size = std::max(static_cast<int>(most), std::popcount(before));
    EXPECT_LE(std::popcount(best), size);
    EXPECT_EQ(best & before, before);
    for (std::uint32_t bits = 0; bits < 1U << all; ++bits) {
      if (std::popcount(bits) > size || (bits & before) != before) continue;
      EXPECT_GE(plain_error(rows, bits), error) << bits;
      bool fewer = plain_error(rows, bits) == error && std::popcount(bits) < std::popcount(best);
      EXPECT_FALSE(fewer) << bits;
    }
  }
}

// Some values have bitmaps and some are lists of rows.
LevelProfiles random_levels(Rng& rng, std::uint32_t levels) {
  LevelProfiles profiles(1 + below(rng, 400), {1 + below(rng, 6), 70, 3}, levels);
  for (std::uint32_t row = 0; row < profiles.rows(); ++row) {
    for (std::uint32_t j = 0; j < 3; ++j) {
      for (std::uint32_t v = 0; v < profiles.domain_sizes()[j]; ++v) {
        std::uint32_t level = below(rng, 3) == 0 ? below(rng, levels + 1) : 0;
        profiles.set(RowId{row}, PrivateId{j}, value_id(v), level);
      }
    }
  }
  return profiles;
}

template <typename Visit>
void for_each_value(const LevelProfiles& profiles, const Visit& visit) {
  for (std::uint32_t j = 0; j < profiles.domain_sizes().size(); ++j) {
    for (std::uint32_t v = 0; v < profiles.domain_sizes()[j]; ++v) visit(PrivateId{j}, value_id(v));
  }
}

TEST(CountStrengths, CountsRowByRow) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    LevelProfiles profiles = random_levels(rng, 1 + below(rng, 255));
    for_each_value(profiles, [&](PrivateId j, ValueId v) {
      std::vector<std::uint32_t> counts(profiles.levels() + 1, 0);
      for (std::uint32_t row = 0; row < profiles.rows(); ++row) {
        ++counts[profiles.strength(RowId{row}, j, v)];
      }
      EXPECT_EQ(profiles.count_strengths(j, v), counts);
    });
  }
}

TEST(UseFewerBitmaps, RoundsEveryStrengthToTheBestBitsOfItsValue) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    LevelProfiles exact = random_levels(rng, seed % 2 == 0 ? 15 : 1 + below(rng, 255));
    std::uint32_t most = 1 + below(rng, 3);
    LevelProfiles few = exact;
    BitsInUse bits = use_fewer_bitmaps(few, most, {}, 1);
    EXPECT_EQ(few.levels(), exact.levels());
    BitsInUse used = bits_in_use(few);
    for_each_value(exact, [&](PrivateId j, ValueId v) {
      auto wanted = best_bits(exact.count_strengths(j, v), most, 0);
      if (most < exact.bits()) {
        ASSERT_EQ(bits[+j][+v], wanted);
        ASSERT_EQ(used[+j][+v], wanted);
        ASSERT_LE(std::popcount(wanted), static_cast<int>(most));
      }
      for (std::uint32_t row = 0; row < exact.rows(); ++row) {
        std::uint32_t before = exact.strength(RowId{row}, j, v);
        std::uint32_t now = few.strength(RowId{row}, j, v);
        std::uint32_t rounded = nearest_sum(before, bits[+j][+v], exact.levels());
        ASSERT_EQ(now, most < exact.bits() ? rounded : before);
      }
    });
  }
}

bool same(const LevelProfiles& left, const LevelProfiles& right) {
  bool all = left.rows() == right.rows() && left.levels() == right.levels();
  for_each_value(left, [&](PrivateId j, ValueId v) {
    for (std::uint32_t row = 0; row < left.rows(); ++row) {
      all = all && left.strength(RowId{row}, j, v) == right.strength(RowId{row}, j, v);
    }
  });
  return all;
}

TEST(UseFewerBitmaps, TwiceIsOnceAndThreadsDoNotMatter) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    auto made = [&](std::uint32_t threads, int times) {
      Rng rng(seed);
      LevelProfiles profiles = random_levels(rng, 15);
      for (int i = 0; i < times; ++i) use_fewer_bitmaps(profiles, 2, {}, threads);
      return profiles;
    };
    EXPECT_TRUE(same(made(1, 1), made(4, 1)));
    EXPECT_TRUE(same(made(1, 1), made(1, 2)));
    EXPECT_FALSE(same(made(1, 0), made(1, 1)));
  }
}

TEST(UseFewerBitmaps, AllOfThemChangeNothing) {
  Rng rng(3);
  LevelProfiles exact = random_levels(rng, 15);
  LevelProfiles all = exact;
  BitsInUse bits = use_fewer_bitmaps(all, 4, {}, 1);
  EXPECT_TRUE(same(exact, all));
  EXPECT_EQ(bits[0][0], 15U);
}

// ---- Schemes ----

class RoundingScheme : public testing::TestWithParam<std::string> {
 protected:
  Protection made(std::uint32_t levels, std::uint32_t bitmaps, std::uint64_t seed = 1) const {
    Rng rng(seed);
    OwnTask own{testing_support::random_table(rng, {700, 2, 3})};
    own.demand.scheme = GetParam();
    own.demand.levels = levels;
    own.demand.bitmaps = bitmaps;
    auto protection = protect(own.task());
    EXPECT_TRUE(protection);
    return *std::move(protection);
  }
};

INSTANTIATE_TEST_SUITE_P(Schemes, RoundingScheme, testing::Values("ldp", "rr-mean", "capped"),
                         [](const auto& scheme) {
                           std::string name = scheme.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// So no promise is touched: what is served is a function of what was served otherwise.
TEST_P(RoundingScheme, ServesAFunctionOfItsProfilesWithAllBitmaps) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    Protection all = made(15, most_bitmaps, seed);
    for (std::uint32_t most : {1U, 2U, 3U}) {
      LevelProfiles wanted = signals_of(all.profiles);
      use_fewer_bitmaps(wanted, most, {}, 1);
      EXPECT_TRUE(same(signals_of(made(15, most, seed).profiles), wanted)) << most;
    }
  }
}

TEST_P(RoundingScheme, TakesTwoOrThreeBitmapsByDefault) {
  std::uint32_t own = GetParam() == "capped" ? 2 : 3;
  EXPECT_EQ(bitmaps_of({.scheme = GetParam()}), own);
  EXPECT_EQ(bitmaps_of({.scheme = GetParam(), .bitmaps = 4}), 4U);
  EXPECT_TRUE(same(signals_of(made(15, 0).profiles), signals_of(made(15, own).profiles)));
}

// Strengths in 255 steps stand for exact ones.
TEST_P(RoundingScheme, ReportsHowFarStrengthsAreRoundedInAll) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Protection exact = made(255, most_bitmaps, seed);
    for (std::uint32_t most : {1U, 2U, 4U}) {
      Protection few = made(15, most, seed);
      double largest = 0;
      for_each_value(signals_of(few.profiles), [&](PrivateId j, ValueId v) {
        for (std::uint32_t row = 0; row < 700; ++row) {
          double off =
              few.profiles.match(RowId{row}, j, v) - exact.profiles.match(RowId{row}, j, v);
          largest = std::max(largest, std::abs(off));
        }
      });
      EXPECT_NEAR(few.report.largest_rounding, largest, 0.5 / 255 + 1e-9) << most;
    }
  }
}

}  // namespace
}  // namespace rankveil
