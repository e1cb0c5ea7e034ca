// An index's answers against the plain ranking's. For tests.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "rankveil/ranking/testing/plain_ranking.h"
#include "rankveil/ranking/testing/random_tables.h"

namespace rankveil::testing_support {

// After so many an index has made all that it makes for who asks often.
inline constexpr std::uint32_t enough_queries = 600;

// The index of these profiles; with gaps, one row in seven is gone.
struct Served {
  Served(const Table& all_rows, const Profiles& all_profiles, bool with_gaps)
      : table(all_rows),
        profiles(all_profiles),
        index(Index::build(public_part(table), profiles, {"test", 0, 10, {}})),
        live(table.rows(), true) {
    std::vector<RowId> gone;
    for (std::uint32_t row = 0; with_gaps && row < table.rows(); row += 7) {
      gone.push_back(RowId{row});
      live[row] = false;
    }
    index = index.erase(gone);
  }

  const Table& table;
  const Profiles& profiles;
  Index index;
  std::vector<bool> live;
};

// Random queries, as many as it takes until the index has found planes that are alike.
inline void expect_plain_answers(const Served& served, Rng& rng) {
  const Table& table = served.table;
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(::testing::Message() << "query " << i);
    Query query = random_query(rng, table.schema());
    Weights weights = random_weights(rng, table.schema(), static_cast<WeightKind>(i % 3));
    auto scores = plain::scores(public_part(table), served.profiles, query, weights);
    for (std::uint32_t k : {1U, 50U, table.rows()}) {
      auto threads = static_cast<std::uint32_t>(1 + i % 2 * 2);
      Answer answer = served.index.rank(query, {k, threads, &weights});
      std::vector<std::uint32_t> rows;
      for (const Hit& hit : answer.hits) {
        rows.push_back(+hit.row);
        ASSERT_NEAR(static_cast<double>(hit.score) * answer.unit,
                    plain::to_double(scores[+hit.row]), 1e-9);
      }
      ASSERT_EQ(rows, plain::top_k(scores, served.live, k)) << "k " << k;
    }
  }
}

}  // namespace rankveil::testing_support
