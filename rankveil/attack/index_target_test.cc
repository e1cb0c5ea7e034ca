#include "rankveil/attack/index_target.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/attack/counted_target.h"
#include "rankveil/ranking/testing/random_tables.h"

namespace rankveil::attack {
namespace {

struct Served {
  Table table;
  Index index;
};

Served served(std::uint64_t seed) {
  Rng rng(seed);
  Table table =
      rankveil::testing_support::random_table(rng, {.rows = 40, .publics = 3, .privates = 2});
  Index index = Index::build(public_part(table), unprotected_profiles(table), {});
  return {std::move(table), std::move(index)};
}

std::vector<ValueId> row_of(const Table& table, std::uint32_t row) {
  std::vector<ValueId> values;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    values.push_back(table.value(RowId{row}, AttributeId{i}));
  }
  return values;
}

TEST(IndexTarget, AnswersAsTheIndexDoes) {
  Served ranking = served(1);
  IndexTarget target(ranking.index, 7);
  Rng rng(2);
  for (int i = 0; i < 50; ++i) {
    Query query = rankveil::testing_support::random_query(rng, ranking.table.schema());
    auto rows = target.query(query);
    Answer answer = ranking.index.rank(query, {.k = 7});
    ASSERT_EQ(rows->size(), answer.hits.size());
    for (std::size_t r = 0; r < rows->size(); ++r) EXPECT_EQ((*rows)[r], +answer.hits[r].row);
  }
}

TEST(IndexTarget, InsertedRowsGetTheNumbersBehindAndMatchTheirValues) {
  Served ranking = served(3);
  IndexTarget target(ranking.index, 41, unprotected_row(ranking.index.schema()));
  ASSERT_TRUE(target.takes_inserts());
  auto copy = row_of(ranking.table, 5);
  EXPECT_EQ(*target.insert(copy), 40U);
  EXPECT_EQ(ranking.index.rows(), 40U) << "the index itself does not change";
  Query query = empty_query(ranking.table.schema());
  for (std::uint32_t i = 0; i < copy.size(); ++i) {
    if (copy[i] != missing_value) query.wanted[i] = {copy[i]};
  }
  auto rows = *target.query(query);
  auto place = [&](std::uint32_t row) { return std::ranges::find(rows, row) - rows.begin(); };
  EXPECT_LT(place(5), place(40));
  std::size_t ahead = 0;
  for (const Hit& hit : ranking.index.rank(query, {.k = 40}).hits) {
    ahead += hit.score == ranking.index.rank_of(RowId{5}, query).score;
  }
  EXPECT_EQ(static_cast<std::size_t>(place(40)), ahead) << "behind those it ties with, only";
}

TEST(IndexTarget, RefusesRowsItCannotTake) {
  Served ranking = served(4);
  IndexTarget closed(ranking.index, 5);
  EXPECT_FALSE(closed.takes_inserts());
  EXPECT_FALSE(closed.insert(row_of(ranking.table, 0)));
  IndexTarget open(ranking.index, 5, unprotected_row(ranking.index.schema()));
  EXPECT_FALSE(open.insert(std::vector<ValueId>(2)));
  EXPECT_FALSE(open.insert(std::vector<ValueId>(5, ValueId{999})));
}

TEST(CountedTarget, CountsAndStopsAtTheBudget) {
  Served ranking = served(5);
  IndexTarget target(ranking.index, 5, unprotected_row(ranking.index.schema()));
  CountedTarget counted(target, {.queries = 2, .inserts = 1});
  Query query = empty_query(ranking.table.schema());
  EXPECT_TRUE(counted.query(query));
  EXPECT_TRUE(counted.query(query));
  EXPECT_FALSE(counted.over_budget());
  EXPECT_FALSE(counted.query(query));
  EXPECT_TRUE(counted.over_budget());
  EXPECT_TRUE(counted.takes_inserts());
  EXPECT_TRUE(counted.insert(row_of(ranking.table, 1)));
  EXPECT_FALSE(counted.takes_inserts());
  EXPECT_FALSE(counted.insert(row_of(ranking.table, 1)));
  EXPECT_EQ(counted.queries(), 2U);
  EXPECT_EQ(counted.inserts(), 1U);
}

}  // namespace
}  // namespace rankveil::attack
