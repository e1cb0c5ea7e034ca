#include "rankveil/ranking/plane_weights.h"

#include <gtest/gtest.h>

#include "rankveil/ranking/expect_plain.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

// Two values a row, each at a strength of its own: 5 and 10 in turn; one row in `rarity` has
// others.
LevelProfiles few_strengths(Rng& rng, const Table& table, std::uint32_t rarity) {
  LevelProfiles profiles(table.rows(), private_domain_sizes(table.schema()), 15);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    for (std::uint32_t j = 0; j < profiles.domain_sizes().size(); ++j) {
      for (int i = 0; i < 2; ++i) {
        ValueId value = skewed_value(rng, profiles.domain_sizes()[j]);
        std::uint32_t strength = +value % 2 == 0 ? 5 : 10;
        if (rng.below(rarity) == 0) strength = 1 + static_cast<std::uint32_t>(rng.below(15));
        profiles.set(RowId{row}, PrivateId{j}, value, strength);
      }
    }
  }
  return profiles;
}

TEST(PlaneWeights, AddUpToTheStrengths) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    RandomShape shape{1 + static_cast<std::uint32_t>(rng.below(1500)), 1, 2};
    if (seed % 4 == 0) shape.largest_domain = 300;  // lists of rows beside bitmaps
    Table table = random_table(rng, shape);
    LevelProfiles profiles = few_strengths(rng, table, seed % 2 == 0 ? 1'000'000 : 20);
    for (std::uint32_t j = 0; j < 2; ++j) {
      AttributePlanes planes = profiles.planes(PrivateId{j});
      std::vector<std::uint8_t> weights = plane_weights(planes, table.rows());
      for (std::uint32_t v = 0; v < planes.domain_size(); ++v) {
        for (std::uint32_t row = 0; row < table.rows(); ++row) {
          std::uint32_t sum = 0;
          for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
            if (planes.plane(v, bit).test(row)) sum += weights[v * planes.bits + bit];
          }
          ValueId value{static_cast<std::uint16_t>(v)};
          ASSERT_EQ(sum, profiles.strength(RowId{row}, PrivateId{j}, value)) << row;
        }
      }
    }
  }
}

bool has_rows(const Plane& plane, std::uint32_t rows) {
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (plane.test(row)) return true;
  }
  return false;
}

TEST(PlaneWeights, OnePlaneIsLeftOfAValueWithOneStrength) {
  Rng rng(1);
  Table table = random_table(rng, {2000, 0, 1});
  AttributePlanes planes = few_strengths(rng, table, 1'000'000).planes(PrivateId{0});
  std::vector<std::uint8_t> weights = plane_weights(planes, table.rows());
  for (std::uint32_t value : {0U, 1U}) {
    std::vector<int> read;
    for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
      int weight = weights[value * planes.bits + bit];
      if (weight > 0 && has_rows(planes.plane(value, bit), table.rows())) read.push_back(weight);
    }
    EXPECT_EQ(read, std::vector<int>{value == 0 ? 5 : 10});
  }
}

TEST(PlaneWeights, AnswersStayTheSameOnceTheyAreUsed) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = random_table(rng, {2000 + static_cast<std::uint32_t>(rng.below(9000)), 3, 4});
    Profiles profiles = few_strengths(rng, table, seed % 3 == 0 ? 1'000'000 : 50);
    expect_plain_answers(Served(table, profiles, seed % 2 == 1), rng);
  }
}

}  // namespace
}  // namespace rankveil
