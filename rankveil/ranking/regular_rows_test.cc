#include "rankveil/ranking/regular_rows.h"

#include <gtest/gtest.h>

#include "rankveil/ranking/expect_plain.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

constexpr std::uint32_t levels = 6;

// Pairs of values at 3 of 6 levels, as equivalent sets have them; one row in `rarity` has others.
LevelProfiles nearly_regular(Rng& rng, const Table& table, std::uint32_t rarity) {
  LevelProfiles profiles(table.rows(), private_domain_sizes(table.schema()), levels);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    bool regular = rng.below(rarity) != 0;
    for (std::uint32_t j = 0; j < profiles.domain_sizes().size(); ++j) {
      for (int i = 0; i < 2; ++i) {
        profiles.set(RowId{row}, PrivateId{j}, skewed_value(rng, profiles.domain_sizes()[j]),
                     regular ? 3 : 1 + static_cast<std::uint32_t>(rng.below(levels)));
      }
    }
  }
  return profiles;
}

std::vector<AttributePlanes> planes_of(const LevelProfiles& profiles) {
  std::vector<AttributePlanes> all;
  for (std::uint32_t j = 0; j < profiles.domain_sizes().size(); ++j) {
    all.push_back(profiles.planes(PrivateId{j}));
  }
  return all;
}

std::uint32_t bit_at(const std::uint64_t* bitmap, std::uint32_t row) {
  return static_cast<std::uint32_t>((bitmap[row / 64] >> (row % 64)) & 1);
}

TEST(RegularRows, BitmapsSayAllOfRegularRowsAndEnoughOfTheOthers) {
  int made = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed);
    Table table = random_table(rng, {1 + static_cast<std::uint32_t>(rng.below(2000)), 1, 3});
    LevelProfiles profiles = nearly_regular(rng, table, 200);
    auto attributes = planes_of(profiles);
    auto rows = RegularRows::of(attributes, table.rows(), 0);
    if (!rows) continue;
    ++made;
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      std::uint32_t above = 0;  // at most, over all queries
      for (std::uint32_t j = 0; j < attributes.size(); ++j) {
        std::uint32_t most = 0;
        for (std::uint32_t v = 0; v < rows->domain_size(j); ++v) {
          ValueId value{static_cast<std::uint16_t>(v)};
          std::uint32_t strength = profiles.strength(RowId{row}, PrivateId{j}, value);
          std::uint32_t said = bit_at(rows->bitmap(j, v), row) * rows->level(j, v);
          if (!rows->is_other(row)) {
            ASSERT_EQ(said, strength) << "seed " << seed << " row " << row;
          }
          most = std::max(most, strength > said ? strength - said : 0);
        }
        above += most;
      }
      std::uint32_t extra = 0;
      for (const auto& [bitmap, steps] : rows->extras()) extra += bit_at(bitmap, row) * steps;
      ASSERT_GE(extra, above) << "seed " << seed << " row " << row;
      if (!rows->is_other(row)) {
        ASSERT_EQ(extra, 0U);
      }
    }
  }
  EXPECT_GT(made, 20);
}

TEST(RegularRows, ThereAreNoneWhereManyRowsAreNot) {
  Rng rng(1);
  Table table = random_table(rng, {5000, 1, 2});
  EXPECT_TRUE(RegularRows::of(planes_of(nearly_regular(rng, table, 200)), table.rows(), 0));
  EXPECT_FALSE(RegularRows::of(planes_of(nearly_regular(rng, table, 8)), table.rows(), 0));
  Profiles two_levels = random_levels(rng, table, 2);
  const auto& few_bits = std::get<LevelProfiles>(two_levels.kinds());
  EXPECT_FALSE(RegularRows::of(planes_of(few_bits), table.rows(), 0));
}

// Before and after the index has found out that nearly all of its rows are regular.
TEST(RegularRows, AnswersStayTheSameOnceTheyAreUsed) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Rng rng(seed);
    Table table = random_table(rng, {2000 + static_cast<std::uint32_t>(rng.below(9000)), 3, 4});
    Profiles profiles = nearly_regular(rng, table, 100);
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    expect_plain_answers(Served(table, profiles, seed % 2 == 1), rng);
  }
}

}  // namespace
}  // namespace rankveil
