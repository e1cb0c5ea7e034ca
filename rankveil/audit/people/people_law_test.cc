#include "rankveil/audit/people/people_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "rankveil/audit/testing/made_up_people.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;

std::vector<BlockVector> all_vectors() {
  std::vector<BlockVector> vectors;
  for (std::uint32_t x = 0; x < made_up_values; ++x) {
    for (std::uint32_t y = 0; y < made_up_values; ++y) vectors.push_back({x, y});
  }
  return vectors;
}

ChanceTable chances_of(const PeopleLaw& law, const CodedRows& people,
                       const std::vector<BlockVector>& vectors, std::uint32_t rows) {
  std::vector<std::uint32_t> which(rows);
  std::iota(which.begin(), which.end(), 0U);
  ChanceTable table(rows, static_cast<std::uint32_t>(vectors.size()));
  law.fill_log_chances(people, which, std::vector<std::uint8_t>(rows, 1), vectors, table);
  return table;
}

TEST(PeopleLaw, ComesNearTheLawThatPeopleWereMadeBy) {
  CodedRows people = made_up_people(8000, 1), asked = made_up_people(200, 2);
  PeopleLaw law = PeopleLaw::learn(people, {{0, 1, 2}, {3, 4}}, {});
  std::vector<BlockVector> vectors = all_vectors();
  ChanceTable table = chances_of(law, asked, vectors, asked.rows);
  double apart = 0;
  for (std::uint32_t row = 0; row < asked.rows; ++row) {
    double sum = 0;
    for (std::uint32_t t = 0; t < vectors.size(); ++t) {
      double chance = std::exp(table(row, t));
      sum += chance;
      apart += std::abs(chance - made_up_chance(asked, row, 0, vectors[t][0]) *
                                     made_up_chance(asked, row, 1, vectors[t][1]));
    }
    EXPECT_LE(sum, 1 + 1e-9) << "what nobody has keeps a little";
    EXPECT_GT(sum, 0.99);
  }
  EXPECT_LT(apart / asked.rows, 0.1) << "of at most 2";
}

TEST(PeopleLaw, GivesValuesThatNobodyHasAChance) {
  CodedRows people = made_up_people(500, 3);
  PeopleLaw law = PeopleLaw::learn(people, {{0, 1, 2}, {3}}, {});
  ChanceTable table = chances_of(law, people, {{made_up_values}}, 5);
  for (std::uint32_t row = 0; row < 5; ++row) {
    EXPECT_TRUE(std::isfinite(table(row, 0)));
    EXPECT_LT(table(row, 0), std::log(0.01));
  }
}

TEST(PeopleLaw, FillsOnlyWhatIsWanted) {
  CodedRows people = made_up_people(500, 4);
  PeopleLaw law = PeopleLaw::learn(people, {{0}, {3}}, {});
  ChanceTable table(2, 1);
  table(1, 0) = 42;
  law.fill_log_chances(people, std::vector<std::uint32_t>{0, 1}, std::vector<std::uint8_t>{1, 0},
                       {{0}}, table);
  EXPECT_LT(table(0, 0), 0);
  EXPECT_EQ(table(1, 0), 42);
}

TEST(Scaling, MakesRowsSumToOneAndColumnsToTheirCounts) {
  ChanceTable table(4, 3);
  Rng rng(5);
  for (double& at : table.at) at = 3 * rng.uniform();
  std::vector<double> counts = {1, 1, 2};
  scale_to_counts(table, counts, 200);
  for (std::uint32_t row = 0; row < 4; ++row) {
    EXPECT_NEAR(table(row, 0) + table(row, 1) + table(row, 2), 1, 1e-12);
  }
  for (std::uint32_t column = 0; column < 3; ++column) {
    double sum = 0;
    for (std::uint32_t row = 0; row < 4; ++row) sum += table(row, column);
    EXPECT_NEAR(sum, counts[column], 1e-9);
  }
}

TEST(Scaling, OfRowsThatAreAlikeGivesShares) {
  ChanceTable table(4, 2);
  for (std::uint32_t row = 0; row < 4; ++row) table(row, 1) = 5;
  scale_to_counts(table, {3, 1}, 20);
  for (std::uint32_t row = 0; row < 4; ++row) EXPECT_NEAR(table(row, 0), 0.75, 1e-12);
}

}  // namespace
}  // namespace rankveil::audit
