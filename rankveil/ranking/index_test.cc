// Every fast path against plain_ranking, on seeded random tables.
#include "rankveil/ranking/index.h"

#include <gtest/gtest.h>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/ranking/scan/scan.h"
#include "rankveil/ranking/store/state.h"
#include "rankveil/ranking/testing/expect_plain.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

std::vector<std::uint32_t> rows_of(const Answer& answer) {
  std::vector<std::uint32_t> rows;
  for (const Hit& hit : answer.hits) rows.push_back(+hit.row);
  return rows;
}

struct Case {
  Table table;
  Profiles profiles;
  Index index;
  Query query;
  Weights weights;
};

Profiles random_profiles(Rng& rng, const Table& table) {
  switch (rng.below(7)) {
    case 0:
      return unprotected_profiles(table);
    case 1:
      return random_levels(rng, table, 1);
    case 2:
      return random_levels(rng, table, 2);
    case 3:
      return random_levels(rng, table,
                           3 + static_cast<std::uint32_t>(rng.below(rng.below(2) == 0 ? 12 : 120)));
    case 5:
      return random_grouped(rng, table, 1 + static_cast<std::uint32_t>(rng.below(30)),
                            {static_cast<std::uint32_t>(rng.below(4)), 3},
                            2 + static_cast<std::uint32_t>(rng.below(80)));
    case 4:
      return random_grouped(rng, table, 1 + static_cast<std::uint32_t>(rng.below(4)), {1, 3});
    default:
      return random_grouped(rng, table, 1 + static_cast<std::uint32_t>(rng.below(40)),
                            {static_cast<std::uint32_t>(rng.below(3)), 2});
  }
}

std::uint32_t random_rows(Rng& rng) {
  constexpr std::uint32_t edges[] = {0, 1, 2, 63, 64, 65, 511, 512, 513, 1024};
  if (rng.below(4) == 0) return edges[rng.below(std::size(edges))];
  return static_cast<std::uint32_t>(rng.below(rng.below(10) == 0 ? 9000 : 700));
}

Case random_case(std::uint64_t seed) {
  Rng rng(seed);
  RandomShape shape{random_rows(rng), static_cast<std::uint32_t>(rng.below(6)),
                    static_cast<std::uint32_t>(rng.below(6))};
  if (shape.publics + shape.privates == 0) shape.publics = 1;
  if (rng.below(12) == 0) shape.largest_domain = 300;  // lists of rows beside bitmaps
  if (rng.below(12) == 0) shape.publics = 36;          // more planes than unit kernels are made for
  Table table = random_table(rng, shape);
  Profiles profiles = random_profiles(rng, table);
  Query query = random_query(rng, table.schema());
  Weights weights = random_weights(rng, table.schema(), static_cast<WeightKind>(rng.below(3)));
  Index index = Index::build(public_part(table), profiles, {"test", 0, 10, {}});
  return {std::move(table), std::move(profiles), std::move(index), std::move(query),
          std::move(weights)};
}

std::vector<plain::ExactScore> plain_scores(const Case& c) {
  return plain::scores(public_part(c.table), c.profiles, c.query, c.weights);
}

std::vector<std::uint32_t> interesting_ks(std::uint32_t rows) {
  return {1, 2, 10, rows / 2 + 1, rows, rows + 7};
}

TEST(Index, TopKEqualsThePlainOrder) {
  for (std::uint64_t seed = 0; seed < some_of(2500U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Case c = random_case(seed);
    auto scores = plain_scores(c);
    std::vector<bool> live(c.table.rows(), true);
    for (std::uint32_t k : interesting_ks(c.table.rows())) {
      Answer answer = c.index.rank(c.query, {k, 1, &c.weights});
      ASSERT_EQ(rows_of(answer), plain::top_k(scores, live, k)) << "k " << k;
      for (const Hit& hit : answer.hits) {
        ASSERT_NEAR(static_cast<double>(hit.score) * answer.unit,
                    plain::to_double(scores[+hit.row]), 1e-9);
      }
    }
  }
}

// Sums above 254, and one threshold for many lines.
TEST(Index, ManyLevelsInFewLargeGroupsAreRankedAlike) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Rng rng(seed);
    Table table = random_table(rng, {33'000, 2, 3});
    Profiles profiles = random_grouped(rng, table, 2, {1, 2}, 60);
    Index index = Index::build(public_part(table), profiles, {"test", 0, 10, {}});
    Weights weights = random_weights(rng, table.schema(), WeightKind::Unit);
    for (int i = 0; i < 4; ++i) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " query " << i);
      Query query = empty_query(table.schema());
      for (std::uint32_t a = 0; a < table.schema().size(); ++a) {
        query.wanted[a] = {skewed_value(rng, table.schema().attributes[a].domain.size())};
      }
      auto scores = plain::scores(public_part(table), profiles, query, weights);
      std::vector<bool> live(table.rows(), true);
      for (std::uint32_t k : {1U, 100U, 5000U}) {
        ASSERT_EQ(rows_of(index.rank(query, {k, 1})), plain::top_k(scores, live, k)) << "k " << k;
      }
    }
  }
}

// All rows but a few in one group, as where only rows without enough likes fall back on shares.
Profiles mostly_one_group(Rng& rng, const Table& table, std::uint32_t levels) {
  std::vector<std::uint32_t> domains = table.schema().private_domain_sizes();
  GroupedProfiles profiles{
      {2, 3}, LevelProfiles(table.rows(), domains, levels), {}, GroupShares(3, domains)};
  auto main = static_cast<std::uint32_t>(rng.below(3));
  auto fallback = (main + 1) % 3;
  profiles.shares.set_in_full(fallback);
  for (std::uint32_t g = 0; g < 3; ++g) {
    profiles.shares.set_size(g, 9);
    for (std::uint32_t j = 0; j < domains.size(); ++j) {
      for (int i = 0; i < 9; ++i) {
        ValueId value = skewed_value(rng, domains[j]);
        profiles.shares.set_count(g, PrivateId{j}, value,
                                  profiles.shares.count(g, PrivateId{j}, value) + 1);
      }
    }
  }
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    std::uint32_t group = rng.below(80) == 0 ? static_cast<std::uint32_t>(rng.below(3)) : main;
    profiles.group_of.push_back(group);
    for (std::uint32_t j = 0; group != fallback && j < domains.size(); ++j) {
      profiles.signals.set(RowId{row}, PrivateId{j}, skewed_value(rng, domains[j]),
                           1 + static_cast<std::uint32_t>(rng.below(levels)));
    }
  }
  return profiles;
}

TEST(Index, AFewRowsOfOtherGroupsAreRankedAmongTheRest) {
  for (std::uint64_t seed = 0; seed < some_of(16U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = random_table(rng, {600 + static_cast<std::uint32_t>(rng.below(9000)), 3, 4});
    Profiles profiles = mostly_one_group(rng, table, seed % 3 == 0 ? 1 : 15);
    expect_plain_answers(Served(table, profiles, seed % 2 == 1), rng);
  }
}

TEST(Index, AMainGroupOfAppendedRowsIsRankedAmongTheRest) {
  for (std::uint64_t seed = 0; seed < some_of(8U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = random_table(rng, {900, 3, 4});
    Profiles profiles = mostly_one_group(rng, table, 15);
    std::vector<Column> columns;
    for (const Attribute& attribute : table.schema().attributes) {
      columns.push_back(random_column(rng, 1500, attribute.domain.size(), 0.05));
    }
    Table later(table.schema(), std::move(columns), RowNames(RowNumbers{1500}));
    Profiles later_profiles = mostly_one_group(rng, later, 15);
    Index index = *Index::build(public_part(table), profiles, {"test", 0, 10, {}})
                       .append(public_part(later), later_profiles);
    ASSERT_TRUE(index.state().slots[1].segment->main_run());
    for (int i = 0; i < 20; ++i) {
      Query query = random_query(rng, table.schema());
      const Weights& weights = index.state().weights;
      auto scores = plain::scores(public_part(table), profiles, query, weights);
      auto behind = plain::scores(public_part(later), later_profiles, query, weights);
      scores.insert(scores.end(), behind.begin(), behind.end());
      std::vector<bool> live(scores.size(), true);
      for (std::uint32_t k : {1U, 40U, 2400U}) {
        ASSERT_EQ(rows_of(index.rank(query, {.k = k})), plain::top_k(scores, live, k)) << k;
      }
    }
  }
}

TEST(Index, ThreadsAndBatchesAnswerAlike) {
  for (std::uint64_t seed = 0; seed < some_of(150U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Case c = random_case(seed);
    std::vector<Query> queries = {c.query, empty_query(c.table.schema())};
    Rng rng(seed + 1'000'000);
    for (int i = 0; i < 6; ++i) queries.push_back(random_query(rng, c.table.schema()));
    auto batch = c.index.rank_all(queries, {10, 1, &c.weights});
    auto batch_threads = c.index.rank_all(queries, {10, 3, &c.weights});
    for (std::size_t i = 0; i < queries.size(); ++i) {
      Answer one = c.index.rank(queries[i], {10, 1, &c.weights});
      Answer split = c.index.rank(queries[i], {10, 3, &c.weights});
      ASSERT_EQ(one.hits, split.hits);
      ASSERT_EQ(one.hits, batch[i].hits);
      ASSERT_EQ(one.hits, batch_threads[i].hits);
    }
  }
}

TEST(Index, FewerQueriesThanThreadsSplitTheRows) {
  EXPECT_EQ(threads_a_query(1, 4), 4U);
  EXPECT_EQ(threads_a_query(3, 4), 2U);
  EXPECT_EQ(threads_a_query(4, 4), 1U);
  EXPECT_EQ(threads_a_query(100, 4), 1U);
  EXPECT_EQ(threads_a_query(1, 0), 1U);
  for (std::uint64_t seed = 0; seed < some_of(60U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Case c = random_case(seed);
    Rng rng(seed);
    std::vector<Query> queries;
    for (std::uint32_t count = 1; count <= 3; ++count) {
      queries.push_back(random_query(rng, c.table.schema()));
      auto answers = c.index.rank_all(queries, {10, 7, &c.weights});
      ASSERT_EQ(answers.size(), count);
      for (std::uint32_t i = 0; i < count; ++i) {
        auto scores = plain::scores(public_part(c.table), c.profiles, queries[i], c.weights);
        std::vector<bool> live(c.table.rows(), true);
        ASSERT_EQ(rows_of(answers[i]), plain::top_k(scores, live, 10)) << "query " << i;
      }
    }
  }
  EXPECT_TRUE(random_case(1).index.rank_all({}, {.threads = 4}).empty());
}

TEST(Index, RanksOfAllRowsEqualThePlainOnes) {
  for (std::uint64_t seed = 0; seed < some_of(700U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Case c = random_case(seed);
    auto scores = plain_scores(c);
    std::vector<bool> live(c.table.rows(), true);
    for (RankKind kind : {RankKind::Ordinal, RankKind::Competition}) {
      ASSERT_EQ(c.index.ranks(c.query, kind, &c.weights), plain::ranks(scores, live, kind));
    }
    if (c.table.rows() == 0) continue;
    RowId row{static_cast<std::uint32_t>(seed % c.table.rows())};
    RowRank one = c.index.rank_of(row, c.query, &c.weights);
    EXPECT_EQ(one.ordinal, plain::ranks(scores, live, RankKind::Ordinal)[+row]);
    EXPECT_EQ(one.competition, plain::ranks(scores, live, RankKind::Competition)[+row]);
  }
}

TEST(Index, MatchesAreTheProfiles) {
  for (std::uint64_t seed = 0; seed < some_of(200U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Case c = random_case(seed);
    Rng rng(seed);
    if (c.table.rows() == 0 || c.table.schema().private_count() == 0) continue;
    for (int i = 0; i < 30; ++i) {
      RowId row{static_cast<std::uint32_t>(rng.below(c.table.rows()))};
      PrivateId attribute{static_cast<std::uint32_t>(rng.below(c.table.schema().private_count()))};
      std::uint32_t schema_place = c.table.schema().public_count() + +attribute;
      ValueId value = skewed_value(rng, c.table.schema().attributes[schema_place].domain.size());
      ASSERT_DOUBLE_EQ(c.index.match(row, attribute, value),
                       c.profiles.match(row, attribute, value));
    }
  }
}

TEST(Index, KeepsEarlierRowOnTies) {
  Schema schema;
  schema.attributes.push_back({"city", Visibility::Public, 1, numbered_domain(2)});
  std::vector<ValueId> same(5000, ValueId{0});
  Table table(schema, {Column(2, same)}, RowNames(RowNumbers{5000}));
  Index index = Index::build(public_part(table), unprotected_profiles(table), {});
  Query query = empty_query(schema);
  query.wanted[0] = {ValueId{0}};
  Answer answer = index.rank(query, {3, 1, nullptr});
  EXPECT_EQ(rows_of(answer), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(Index, MissingValuesMatchNothing) {
  Schema schema;
  schema.attributes.push_back({"city", Visibility::Public, 1, numbered_domain(2)});
  std::vector<ValueId> values = {missing_value, ValueId{1}, ValueId{0}};
  Table table(schema, {Column(2, values)}, RowNames(RowNumbers{3}));
  Index index = Index::build(public_part(table), unprotected_profiles(table), {});
  Query both = empty_query(schema);
  both.wanted[0] = {ValueId{0}, ValueId{1}};
  EXPECT_EQ(rows_of(index.rank(both, {3, 1, nullptr})), (std::vector<std::uint32_t>{1, 2, 0}));
}

}  // namespace
}  // namespace rankveil
