#include "rankveil/protect/chance/fewer_bitmaps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/chance/rounding.h"
#include "rankveil/protect/life/profile_merger.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/protect/testing/protect_tables.h"
#include "rankveil/ranking/store/plane_weights.h"

namespace rankveil {
namespace {

using testing_support::OwnTask;

ValueId value_id(std::uint32_t value) { return ValueId{static_cast<std::uint16_t>(value)}; }

std::uint32_t below(Rng& rng, std::uint32_t bound) {
  return static_cast<std::uint32_t>(rng.below(bound));
}

std::uint32_t distance(std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; }

// By trying all of them.
std::uint32_t plain_nearest(std::uint32_t level, const StrengthSet& set) {
  std::uint32_t best = set[0];
  for (std::uint32_t other : set) {
    if (distance(other, level) < distance(best, level)) best = other;
  }
  return best;
}

std::uint64_t plain_error(const std::vector<std::uint32_t>& rows, const StrengthSet& set) {
  std::uint64_t error = 0;
  for (std::uint32_t level = 0; level < rows.size(); ++level) {
    std::uint64_t off = distance(level, plain_nearest(level, set));
    error += rows[level] * off * off;
  }
  return error;
}

StrengthSet set_of(std::uint32_t members) {
  StrengthSet set;
  for (std::uint32_t level = 0; level < 32; ++level) {
    if ((members >> level) & 1) set.push_back(static_cast<std::uint8_t>(level));
  }
  return set;
}

TEST(NearestIn, IsTheNearestOfAll) {
  for (std::uint32_t members = 1; members < 1U << 10; ++members) {
    for (std::uint32_t level = 0; level < 12; ++level) {
      StrengthSet set = set_of(members);
      ASSERT_EQ(nearest_in(set, level), plain_nearest(level, set)) << level << " in " << members;
    }
  }
}

TEST(BitmapsFor, CountsThoseThatAnIndexReads) {
  EXPECT_EQ(bitmaps_for({0}), 0U);
  EXPECT_EQ(bitmaps_for({7}), 0U);
  EXPECT_EQ(bitmaps_for({0, 5}), 1U);
  EXPECT_EQ(bitmaps_for({3, 8}), 1U);
  EXPECT_EQ(bitmaps_for({1, 2, 5, 6}), 2U);
  EXPECT_EQ(bitmaps_for({0, 1, 2}), 2U);
  EXPECT_EQ(bitmaps_for({1, 2, 4, 8}), 4U);
  Rng rng(1);
  for (int i = 0; i < 300; ++i) {
    StrengthSet set = set_of(1 + below(rng, 65'535));
    LevelProfiles profiles(200, {1}, 15);
    for (std::uint32_t row = 0; row < 200; ++row) {
      profiles.set(RowId{row}, PrivateId{0}, ValueId{0}, set[row % set.size()]);
    }
    StandIns read(profiles.planes(PrivateId{0}), 0, 200, 0);
    ASSERT_EQ(bitmaps_for(set), read.planes_read()) << testing::PrintToString(set);
    std::vector<std::uint32_t> weights;
    for (std::uint8_t weight : read.weights()) {
      if (weight > 0) weights.insert(weights.begin(), weight);
    }
    ASSERT_EQ(bitmap_weights(set), weights) << testing::PrintToString(set);
  }
}

// Where there are too many sets to try them all: those of two weights on top of any level.
TEST(BestLevels, AreTheBestOfManyLevelsToo) {
  Rng rng(7);
  for (std::uint32_t levels : {32U, 40U, 63U, 255U}) {
    std::vector<std::uint32_t> rows(levels + 1, 0);
    for (std::uint32_t level : {1U, 2U, 5U, 6U}) rows[level] = 10;
    EXPECT_EQ(best_levels(rows, 2, {}, false), (StrengthSet{1, 2, 5, 6})) << levels;
    for (int i = 0; i < some_of(20); ++i) {
      for (int j = 0; j < 5; ++j) rows[below(rng, levels + 1)] += 1 + below(rng, 50);
      std::uint64_t least = UINT64_MAX;
      for (std::uint32_t low = 0; low <= levels; ++low) {
        for (std::uint32_t one = 0; one < 8; ++one) {
          for (std::uint32_t two = one; two < 8; ++two) {
            StrengthSet set;
            for (std::uint32_t more : {0U, 1U << one, 1U << two, (1U << one) + (1U << two)}) {
              if (low + more <= levels) set.push_back(static_cast<std::uint8_t>(low + more));
            }
            std::sort(set.begin(), set.end());
            set.erase(std::unique(set.begin(), set.end()), set.end());
            auto weights = bitmap_weights(set);
            bool quick = std::all_of(weights.begin(), weights.end(), [](std::uint32_t weight) {
              return (weight & (weight - 1)) == 0;
            });
            if (quick && weights.size() <= 2) least = std::min(least, plain_error(rows, set));
          }
        }
      }
      ASSERT_EQ(plain_error(rows, best_levels(rows, 2, {}, false)), least) << levels;
    }
  }
}

TEST(MayBeRounded, KnowsWhatRoundingLeaves) {
  const StrengthSet sets[] = {{0}, {1, 2, 5, 6}, {2, 6}, {0, 15}, {1, 2, 4, 8}, {}};
  EXPECT_EQ(may_be_rounded(sets, 15, 2), (std::vector<bool>{true, true, true, false, false, true}));
  EXPECT_EQ(may_be_rounded(sets, 15, 4), std::vector<bool>(6, true));
}

TEST(BestLevels, FitTheLevelsOfTheRows) {
  std::vector<std::uint32_t> rows(16, 0);
  EXPECT_EQ(best_levels(rows, 2, {}, false), StrengthSet{0});
  rows[1] = rows[2] = rows[5] = rows[6] = 5;
  EXPECT_EQ(best_levels(rows, 2, {}, false), (StrengthSet{1, 2, 5, 6}));
  EXPECT_EQ(best_levels(rows, 4, {}, false), (StrengthSet{1, 2, 5, 6}));  // the fewest bitmaps
  rows[0] = 1000;
  EXPECT_EQ(best_levels(rows, 2, {}, false)[0], 0);
  rows[0] = 0;
  EXPECT_EQ(best_levels(rows, 2, {}, true)[0], 0);
  StrengthSet before = {1, 2, 4, 8};  // takes four
  EXPECT_EQ(best_levels(rows, 2, before, false).size(), 16U);
}

// Of all sets of levels there are.
TEST(BestLevels, NoOthersHaveASmallerError) {
  for (std::uint64_t seed = 0; seed < some_of(40U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    std::uint32_t levels = seed % 3 == 0 ? 15 : 1 + below(rng, 14);
    std::vector<std::uint32_t> rows(levels + 1);
    for (auto& count : rows) count = below(rng, 3) == 0 ? below(rng, 1000) : 0;
    std::uint32_t most = 1 + below(rng, 3);
    bool with_zero = below(rng, 2) == 0;
    StrengthSet before;
    if (below(rng, 2) == 0) before = {static_cast<std::uint8_t>(below(rng, levels + 1))};
    StrengthSet best = best_levels(rows, most, before, with_zero);
    EXPECT_TRUE(std::includes(best.begin(), best.end(), before.begin(), before.end()));
    EXPECT_TRUE(!with_zero || best[0] == 0);
    std::uint64_t error = plain_error(rows, best);
    bool any = false;
    for (std::uint32_t members = 1; members < 1U << (levels + 1); ++members) {
      StrengthSet set = set_of(members);
      if (set.size() > 1U << most || bitmaps_for(set) > most) continue;
      bool quick = true;
      for (std::uint32_t weight : bitmap_weights(set)) quick &= std::has_single_bit(weight);
      if (!quick) continue;
      if (with_zero && set[0] != 0) continue;
      if (!std::includes(set.begin(), set.end(), before.begin(), before.end())) continue;
      ASSERT_GE(plain_error(rows, set), error) << testing::PrintToString(set);
      any = true;
    }
    EXPECT_TRUE(!any || bitmaps_for(best) <= most);
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

TEST(UseFewerBitmaps, RoundsEveryStrengthToTheBestLevelsOfItsValue) {
  for (std::uint64_t seed = 0; seed < some_of(60U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    LevelProfiles exact = random_levels(rng, seed % 2 == 0 ? 15 : 1 + below(rng, 255));
    std::uint32_t most = 1 + below(rng, 3);
    LevelProfiles few = exact;
    StrengthSets sets = use_fewer_bitmaps(few, most, {}, 1);
    EXPECT_EQ(few.levels(), exact.levels());
    StrengthSets used = levels_in_use(few);
    for_each_value(exact, [&](PrivateId j, ValueId v) {
      for (std::uint32_t row = 0; row < exact.rows(); ++row) {
        bool silent = true;
        for (std::uint32_t w = 0; w < exact.domain_sizes()[+j]; ++w) {
          silent = silent && exact.strength(RowId{row}, j, value_id(w)) == 0;
        }
        std::uint32_t before = exact.strength(RowId{row}, j, v);
        std::uint32_t now = few.strength(RowId{row}, j, v);
        ASSERT_EQ(now, silent ? 0 : plain_nearest(before, sets[+j][+v]));
      }
      if (most >= exact.bits()) return;
      ASSERT_LE(bitmaps_for(sets[+j][+v]), most);
      const StrengthSet& mine = used[+j][+v];
      const StrengthSet& set = sets[+j][+v];
      ASSERT_TRUE(std::includes(set.begin(), set.end(), mine.begin(), mine.end()));
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
  StrengthSets sets = use_fewer_bitmaps(all, 4, {}, 1);
  EXPECT_TRUE(same(exact, all));
  EXPECT_EQ(sets[0][0].size(), 16U);
}

// ---- Schemes ----

class RoundingScheme : public testing::TestWithParam<std::string> {
 protected:
  Protection made(std::uint32_t levels, std::uint32_t bitmaps, std::uint64_t seed = 1) const {
    Rng rng(seed);
    return made_of(testing_support::random_table(rng, {700, 2, 3}), levels, bitmaps);
  }

  Protection made_of(Table table, std::uint32_t levels, std::uint32_t bitmaps) const {
    OwnTask own{std::move(table)};
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

TEST_P(RoundingScheme, TakesTwoBitmapsByDefault) {
  EXPECT_EQ(bitmaps_of({.scheme = GetParam()}), 2U);
  EXPECT_EQ(bitmaps_of({.scheme = GetParam(), .bitmaps = 4}), 4U);
  EXPECT_TRUE(same(signals_of(made(15, 0).profiles), signals_of(made(15, 2).profiles)));
}

double largest_distance(const Profiles& served, const Profiles& exact) {
  double largest = 0;
  for_each_value(signals_of(served), [&](PrivateId j, ValueId v) {
    for (std::uint32_t row = 0; row < served.rows(); ++row) {
      double off = served.match(RowId{row}, j, v) - exact.match(RowId{row}, j, v);
      largest = std::max(largest, std::abs(off));
    }
  });
  return largest;
}

// Strengths in 255 steps stand for exact ones.
TEST_P(RoundingScheme, ReportsHowFarStrengthsAreRoundedInAll) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Protection exact = made(255, most_bitmaps, seed);
    for (std::uint32_t most : {1U, 2U, 4U}) {
      Protection few = made(15, most, seed);
      double largest = largest_distance(few.profiles, exact.profiles);
      EXPECT_NEAR(few.report.largest_rounding, largest, 0.5 / 255 + 1e-9) << most;
    }
  }
}

// One public group in which the first value is common and two are not, and a small one without the
// first: rounding lifts strengths of 0, which stand in no signal.
Table skewed_table(int rows) {
  std::vector<std::vector<int>> codes;
  for (int i = 0; i < rows; ++i) codes.push_back({0, i % 10 < 7 ? 0 : i % 10 < 9 ? 1 : 2});
  for (int i = 0; i < 21; ++i) codes.push_back({1, 1 + i % 2});
  return testing_support::coded_table(codes, 1, {2, 3});
}

TEST_P(RoundingScheme, ReportsWhatRoundingAddsToStrengthsOfZero) {
  Protection exact = made_of(skewed_table(20'000), 255, most_bitmaps);
  for (std::uint32_t most : {1U, 2U, 4U}) {
    Protection few = made_of(skewed_table(20'000), 15, most);
    double largest = largest_distance(few.profiles, exact.profiles);
    EXPECT_NEAR(few.report.largest_rounding, largest, 0.5 / 255 + 1e-9) << most;
  }
}

// The first value's only level is 4. The first row is served with it; rows with a little of a
// value, and no level, are served with nothing, and not with level 4.
TEST(Rounding, OfRowsWithoutALevelIsWhatTheyLose) {
  Rounding rounding(2, 10);
  rounding.add(0, 3, 0.31);
  rounding.add(1, 0, 0.04);
  rounding.end_row();
  std::vector<StrengthSet> sets = {{4}, {0}};
  EXPECT_NEAR(rounding.largest(sets), 0.09, 1e-12);
  rounding.add(0, 0, 0.02);
  rounding.add(1, 0, 0.01);
  rounding.end_row();
  EXPECT_NEAR(rounding.largest(sets), 0.09, 1e-12);
  Rounding other(2, 10);
  other.add(0, 0, 0.12);
  other.end_row();
  rounding.add(other);
  EXPECT_NEAR(rounding.largest(sets), 0.12, 1e-12);
}

// Two rows of three know nothing of the second value, whose levels are 2 and 7.
TEST(Rounding, OfValuesThatARowDoesNotListIsWhatTheyAreLiftedBy) {
  Rounding rounding(2, 10);
  for (int row = 0; row < 3; ++row) {
    rounding.add(0, 3, 0.3);
    if (row == 0) rounding.add(1, 7, 0.7);
    rounding.end_row();
  }
  std::vector<StrengthSet> sets = {{3}, {2, 7}};
  EXPECT_NEAR(rounding.largest(sets), 0.2, 1e-12);
  Rounding other(2, 10);
  other.end_row();
  other.add(other);
  EXPECT_NEAR(other.largest(sets), 0, 1e-12) << "rows without a level are lifted by nothing";
  other.add(rounding);
  EXPECT_NEAR(other.largest(sets), 0.2, 1e-12);
}

}  // namespace
}  // namespace rankveil
