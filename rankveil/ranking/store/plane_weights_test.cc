#include "rankveil/ranking/store/plane_weights.h"

#include <gtest/gtest.h>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/ranking/store/state.h"
#include "rankveil/ranking/testing/expect_plain.h"

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
      StrengthWeights weights = plane_weights(planes, table.rows());
      for (std::uint32_t v = 0; v < planes.domain_size(); ++v) {
        for (std::uint32_t row = 0; row < table.rows(); ++row) {
          std::uint32_t sum = weights.constants[v];
          for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
            if (planes.plane(v, bit).test(row)) sum += weights.planes[v * planes.bits + bit];
          }
          ValueId value{static_cast<std::uint16_t>(v)};
          ASSERT_EQ(sum, profiles.strength(RowId{row}, PrivateId{j}, value)) << row;
        }
      }
    }
  }
}

// All strengths there are, in any of the ways in which planes tell the same.
TEST(PlaneWeights, TakeAsFewPlanesAsStrengthsAllow) {
  struct Example {
    std::vector<std::uint32_t> strengths;  // of rows in turn
    std::uint32_t constant;
    std::uint32_t planes;
  };
  const Example examples[] = {{{0, 5}, 0, 1},    {{3, 8}, 3, 1},        {{7}, 7, 0},
                              {{3, 4}, 3, 1},    {{1, 2, 5, 6}, 1, 2},  {{2, 3, 10, 11}, 2, 2},
                              {{0, 1, 2}, 0, 2}, {{1, 2, 4, 8}, 0, 4},  {{15, 0}, 0, 1},
                              {{6, 9}, 6, 1},    {{5, 6, 9, 10}, 5, 2}, {{0}, 0, 0}};
  for (const Example& example : examples) {
    LevelProfiles profiles(700, {2}, 15);
    for (std::uint32_t row = 0; row < 700; ++row) {
      profiles.set(RowId{row}, PrivateId{0}, ValueId{1},
                   example.strengths[row % example.strengths.size()]);
    }
    AttributePlanes planes = profiles.planes(PrivateId{0});
    StandIns read(planes, 1, 700, 0);
    EXPECT_EQ(read.planes_read(), example.planes) << ::testing::PrintToString(example.strengths);
    if (example.planes < 3) {
      EXPECT_EQ(read.constant(), example.constant);
    }
    EXPECT_TRUE(read.wrong_rows().empty());
  }
}

// As bitmaps, and as lists of rows.
TEST(PlaneWeights, RowsApartDoNotMatter) {
  for (std::uint32_t domain : {2U, 300U}) {
    LevelProfiles profiles(700, {domain}, 15);
    std::vector<std::uint64_t> apart(11);
    for (std::uint32_t row = 0; row < 700; ++row) {
      bool listed = domain > dense_domain;
      bool is_apart = row % 90 == 7;
      if (is_apart) apart[row / 64] |= std::uint64_t{1} << (row % 64);
      if (listed && row % 45 != 7) continue;
      profiles.set(RowId{row}, PrivateId{0}, ValueId{1}, is_apart ? 6 : 5);
    }
    AttributePlanes planes = profiles.planes(PrivateId{0});
    ASSERT_EQ(planes.plane(1, 2).rows.empty(), domain == 2);
    StandIns read(planes, 1, 700, 0, apart.data());
    EXPECT_EQ(read.planes_read(), domain == 2 ? 0U : 1U);  // a list has no opposite
    EXPECT_TRUE(read.wrong_rows().empty());
    StandIns all(planes, 1, 700, 0);
    EXPECT_GT(all.planes_read(), read.planes_read());
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
  StrengthWeights weights = plane_weights(planes, table.rows());
  for (std::uint32_t value : {0U, 1U}) {
    std::vector<int> read;
    for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
      int weight = weights.planes[value * planes.bits + bit];
      if (weight > 0 && has_rows(planes.plane(value, bit), table.rows())) read.push_back(weight);
    }
    EXPECT_EQ(read, std::vector<int>{value == 0 ? 5 : 10});
  }
}

// Every row has a strength of nearly every value, one of four; `others` rows have any or none.
LevelProfiles full_strengths(Rng& rng, const Table& table, std::uint32_t others) {
  LevelProfiles profiles(table.rows(), private_domain_sizes(table.schema()), 15);
  const std::uint32_t sets[][4] = {{1, 2, 5, 6}, {3, 4, 3, 4}, {2, 3, 10, 11}, {7, 7, 7, 7}};
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    bool other = row < others;
    for (std::uint32_t j = 0; j < profiles.domain_sizes().size(); ++j) {
      for (std::uint32_t v = 0; v < profiles.domain_sizes()[j]; ++v) {
        std::uint32_t any = static_cast<std::uint32_t>(rng.below(16));
        profiles.set(RowId{row}, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)},
                     other ? any : sets[v % 4][rng.below(4)]);
      }
    }
  }
  return profiles;
}

TEST(PlaneWeights, ConstantsAreCounted) {
  for (std::uint64_t seed = 0; seed < some_of(12U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = random_table(rng, {1000 + static_cast<std::uint32_t>(rng.below(5000)), 3, 4});
    Profiles profiles = full_strengths(rng, table, seed % 3 == 0 ? 5 : 0);
    Served served(table, profiles, seed % 2 == 1);
    expect_plain_answers(served, rng);
    // In other ways of asking, and with rows behind.
    std::vector<Column> columns;
    for (const Attribute& attribute : table.schema().attributes) {
      columns.push_back(random_column(rng, 400, attribute.domain.size(), 0.05));
    }
    Table more(table.schema(), std::move(columns), RowNames(RowNumbers{400}));
    Profiles of_more = full_strengths(rng, more, 0);
    Index index = *served.index.append(public_part(more), of_more);
    std::vector<Query> queries;
    for (int i = 0; i < 40; ++i) queries.push_back(random_query(rng, table.schema()));
    std::vector<Answer> together = index.rank_all(queries, {.k = 30});
    for (std::size_t i = 0; i < queries.size(); ++i) {
      ASSERT_EQ(together[i].hits, index.rank(queries[i], {.k = 30}).hits);
      Scores scores = index.scores(queries[i]);
      std::vector<std::uint32_t> ranks = index.ranks(queries[i], RankKind::Ordinal);
      std::uint32_t rank = 0;
      for (const Hit& hit : together[i].hits) {
        ASSERT_EQ(hit.score, scores.values[+hit.row]);
        ASSERT_EQ(ranks[+hit.row], ++rank);
      }
      auto plain_scores =
          plain::scores(public_part(table), profiles, queries[i], index.state().weights);
      for (std::uint32_t row = 0; row < table.rows(); ++row) {
        if (scores.values[row] == no_score) continue;
        ASSERT_NEAR(static_cast<double>(scores.values[row]) * scores.unit,
                    plain::to_double(plain_scores[row]), 1e-9);
      }
    }
  }
}

TEST(PlaneWeights, AnswersStayTheSameOnceTheyAreUsed) {
  for (std::uint64_t seed = 0; seed < some_of(12U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = random_table(rng, {2000 + static_cast<std::uint32_t>(rng.below(9000)), 3, 4});
    Profiles profiles = few_strengths(rng, table, seed % 3 == 0 ? 1'000'000 : 50);
    expect_plain_answers(Served(table, profiles, seed % 2 == 1), rng);
  }
}

}  // namespace
}  // namespace rankveil
