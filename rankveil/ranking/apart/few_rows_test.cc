#include "rankveil/ranking/apart/few_rows.h"

#include <gtest/gtest.h>

#include "rankveil/ranking/testing/plain_ranking.h"
#include "rankveil/ranking/testing/random_tables.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

Profiles some_profiles(Rng& rng, const Table& table) {
  if (rng.below(2) == 0) return random_levels(rng, table, rng.below(2) == 0 ? 1 : 6);
  return random_grouped(rng, table, 1 + static_cast<std::uint32_t>(rng.below(5)), Fraction{1, 3},
                        rng.below(2) == 0 ? 1 : 6);
}

// Large domains have lists of rows. A value that came with later rows matches nobody.
TEST(FewRows, HaveTheirPlainScores) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    std::uint32_t rows = 1 + static_cast<std::uint32_t>(rng.below(most_few_rows));
    Table table = random_table(rng, {rows, 3, 3, seed % 2 == 0 ? 6U : 300U});
    Profiles profiles = some_profiles(rng, table);
    Index index = Index::build(public_part(table), profiles, {"test", 0, 10, {}});
    const Segment& segment = *index.state().slots[0].segment;
    for (int i = 0; i < 5; ++i) {
      Query query = random_query(rng, table.schema());
      Weights weights = random_weights(rng, table.schema(), static_cast<WeightKind>(i % 3));
      auto expected = plain::scores(public_part(table), profiles, query, weights);
      for (std::uint32_t j = 0; j < query.wanted.size(); ++j) {
        auto size = table.schema().attributes[j].domain.size();
        if (!query.wanted[j].empty()) {
          query.wanted[j].push_back(ValueId{static_cast<std::uint16_t>(size + j)});
        }
      }
      QueryPlan plan(index.state(), query, weights);
      std::vector<std::int64_t> scores(rows);
      score_few(segment, plan, scores.data());
      for (std::uint32_t position = 0; position < rows; ++position) {
        std::uint32_t row = segment.groups ? segment.groups->order[position] : position;
        ASSERT_NEAR(static_cast<double>(scores[position]) * plan.unit,
                    plain::to_double(expected[row]), 1e-9)
            << "row " << row;
      }
    }
  }
}

}  // namespace
}  // namespace rankveil
