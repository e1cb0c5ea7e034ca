// Rankings by strengths that are nearly alike, and guesses at where to start that are too high.
#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/ranking/scan/query_plan.h"
#include "rankveil/ranking/scan/scan.h"
#include "rankveil/ranking/testing/expect_plain.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

// As equivalent sets have them: two values a row at 3 of 6 levels each; but one row in `rarity` has
// any strengths.
LevelProfiles nearly_alike(Rng& rng, const Table& table, std::uint32_t rarity) {
  LevelProfiles profiles(table.rows(), table.schema().private_domain_sizes(), 6);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    bool exceptional = rng.below(rarity) == 0;
    for (std::uint32_t j = 0; j < profiles.domain_sizes().size(); ++j) {
      for (int i = 0; i < 2; ++i) {
        ValueId value = skewed_value(rng, profiles.domain_sizes()[j]);
        std::uint32_t strength = exceptional ? 1 + static_cast<std::uint32_t>(rng.below(6)) : 3;
        profiles.set(RowId{row}, PrivateId{j}, value, strength);
      }
    }
  }
  return profiles;
}

// Nearly all rows are of one group. Of the others, every second has a strength of its own.
GroupedProfiles in_a_main_group(LevelProfiles signals) {
  std::vector<std::uint32_t> domains = signals.domain_sizes();
  std::vector<std::uint32_t> group_of(signals.rows(), 0);
  GroupShares shares(2, domains);
  shares.set_size(0, 7);
  shares.set_size(1, 5);
  for (std::uint32_t j = 0; j < domains.size(); ++j) {
    shares.set_count(0, PrivateId{j}, ValueId{0}, 3);
    shares.set_count(1, PrivateId{j}, ValueId{1}, 2);
  }
  for (std::uint32_t row = 5; row < 1000; row += 50) {
    group_of[row] = 1;
    if (row % 100 == 5) signals.set(RowId{row}, PrivateId{0}, ValueId{0}, 4);
  }
  return {Fraction{1, 2}, std::move(signals), std::move(group_of), std::move(shares)};
}

const Segment& first_segment(const Index& index) { return *index.state().slots[0].segment; }

Table some_table(Rng& rng) {
  return random_table(rng, {4000 + static_cast<std::uint32_t>(rng.below(9000)), 3, 4});
}

// Weights with which a query's sums need more than a byte.
Schema heavy_schema(std::uint32_t publics, std::uint32_t privates) {
  Schema schema;
  for (std::uint32_t i = 0; i < publics + privates; ++i) {
    Attribute attribute;
    attribute.visibility = i < publics ? Visibility::Public : Visibility::Private;
    attribute.name = "a" + std::to_string(i);
    attribute.domain = numbered_domain(3);
    attribute.weight = 7 + (i * 5) % 13;
    schema.attributes.push_back(std::move(attribute));
  }
  return schema;
}

// The truth at 13 of 15 levels, everything else at one; one row in 300 shows its group's shares
// alone.
GroupedProfiles mostly_signals(const Table& table) {
  std::uint32_t publics = table.schema().public_count();
  LevelProfiles signals(table.rows(), table.schema().private_domain_sizes(), 15);
  std::vector<std::uint32_t> group_of(table.rows(), 0);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    if (row % 300 == 5) {
      group_of[row] = 1;
      continue;
    }
    for (std::uint32_t j = 0; j < signals.domain_sizes().size(); ++j) {
      ValueId own = table.value(RowId{row}, AttributeId{publics + j});
      for (std::uint16_t v = 0; v < 3; ++v) {
        signals.set(RowId{row}, PrivateId{j}, ValueId{v}, ValueId{v} == own ? 13 : 1);
      }
    }
  }
  GroupShares shares(2, signals.domain_sizes());
  for (std::uint32_t group : {0U, 1U}) shares.set_in_full(group);
  shares.set_size(0, 1);
  shares.set_size(1, 10);
  for (std::uint32_t j = 0; j < signals.domain_sizes().size(); ++j) {
    shares.set_count(1, PrivateId{j}, ValueId{0}, 5);
  }
  return {Fraction{1, 1}, std::move(signals), std::move(group_of), std::move(shares)};
}

TEST(Strengths, ThatAreBoundedHaveLimitsOfGroupsWhereSumsAreLarge) {
  constexpr std::uint32_t rows = 6000, privates = 10;
  std::uint32_t bounded = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Schema schema = heavy_schema(10, privates);
    std::vector<Column> columns;
    for (std::size_t i = 0; i < schema.size(); ++i) {
      columns.push_back(random_column(rng, rows, 3, 0));
    }
    Table table(schema, std::move(columns), RowNames(RowNumbers{rows}));
    Index index = build_index(public_part(table), mostly_signals(table), {"test", 2, 10, {}},
                              {.far_bytes = 0, .look_bytes = 0});
    for (int i = 0; i < 5; ++i) {
      Query query = empty_query(schema);
      RowId like{static_cast<std::uint32_t>(rng.below(rows))};
      for (std::uint32_t a = 0; a < schema.size(); ++a) {
        query.wanted[a] = {table.value(like, AttributeId{a})};
      }
      QueryPlan plan(index.state(), query, weights_of(schema));
      SegmentPlan segment(index.state().slots[0], plan);
      bounded += ScanPlan(segment, 5, no_floor).bounded() ? 1 : 0;
      std::vector<std::int64_t> best = index.scores(query).values;
      std::ranges::sort(best, std::greater<>());
      Answer answer = index.rank(query, {.k = 5});
      ASSERT_EQ(answer.hits.size(), 5U);
      for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(answer.hits[k].score, best[k]);
    }
  }
  EXPECT_GT(bounded, 0U);
}

TEST(Strengths, ThatAreNearlyAlikeAreRanked) {
  for (std::uint64_t seed = 0; seed < some_of(16U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = some_table(rng);
    Profiles profiles = nearly_alike(rng, table, 80 + static_cast<std::uint32_t>(rng.below(400)));
    Served served(table, profiles, seed % 2 == 1);
    expect_plain_answers(served, rng);
  }
}

TEST(Strengths, OfAMainGroupAreRanked) {
  for (std::uint64_t seed = 0; seed < some_of(12U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = some_table(rng);
    Profiles profiles = in_a_main_group(nearly_alike(rng, table, 150));
    Served served(table, profiles, seed % 2 == 1);
    ASSERT_TRUE(first_segment(served.index).main_run());
    expect_plain_answers(served, rng);
  }
}

// Scores, ranks and batches go other ways than a single query.
TEST(Strengths, AreTheSameHoweverOneAsks) {
  for (std::uint64_t seed = 0; seed < some_of(6U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = some_table(rng);
    Profiles profiles = nearly_alike(rng, table, 120);
    Served served(table, profiles, seed % 2 == 1);
    std::vector<Query> queries;
    for (int i = 0; i < 70; ++i) queries.push_back(random_query(rng, table.schema()));
    for (std::uint32_t k : {1U, 40U, table.rows() + 10}) {
      auto answers = served.index.rank_all(queries, {.k = k, .threads = 2});
      for (std::size_t i = 0; i < queries.size(); i += 7) {
        Scores scores = served.index.scores(queries[i]);
        std::vector<std::uint32_t> ranks = served.index.ranks(queries[i], RankKind::Ordinal);
        auto plain_scores =
            plain::scores(public_part(table), profiles, queries[i], weights_of(table.schema()));
        auto expected = plain::top_k(plain_scores, served.live, k);
        ASSERT_EQ(answers[i].hits.size(), expected.size());
        for (std::uint32_t place = 0; place < expected.size(); ++place) {
          const Hit& hit = answers[i].hits[place];
          ASSERT_EQ(served.kept[+hit.row], expected[place]) << "k " << k;
          ASSERT_EQ(scores.values[+hit.row], hit.score);
          ASSERT_EQ(ranks[+hit.row], place + 1);
        }
      }
    }
  }
}

// Rows without and with exceptions tie, within a segment and across segments.
TEST(Strengths, ThatTieGoByRowInAllSegments) {
  Rng rng(3);
  Table table = random_table(rng, {6000, 0, 2, 2, 0.0});
  LevelProfiles profiles(table.rows(), table.schema().private_domain_sizes(), 6);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    bool exceptional = row % 200 == 3;  // 2 + 4 instead of 3 + 3
    profiles.set(RowId{row}, PrivateId{0}, ValueId{0}, exceptional ? 2 : 3);
    profiles.set(RowId{row}, PrivateId{1}, ValueId{0}, exceptional ? 4 : 3);
  }
  Index index = Index::build(public_part(table), Profiles(profiles), {"test", 0, 10, {}});
  index = *index.append(public_part(table), Profiles(profiles));
  std::vector<RowId> gone = {RowId{0}, RowId{203}, RowId{6003}, RowId{6005}};
  Index erased = index.erase(gone);
  ASSERT_EQ(erased.rows(), index.rows() - gone.size());
  Query query = empty_query(index.schema());
  query.wanted[0] = {ValueId{0}};
  query.wanted[1] = {ValueId{0}};
  for (const Index& each : {index, erased}) {
    for (std::uint32_t k : {1U, 3U, 4U, 250U, 6100U, 12000U}) {
      for (std::uint32_t threads : {1U, 3U}) {
        Answer answer = each.rank(query, {.k = k, .threads = threads});
        ASSERT_EQ(answer.hits.size(), std::min(k, each.rows()));
        for (std::size_t i = 0; i < answer.hits.size(); ++i) {
          ASSERT_EQ(+answer.hits[i].row, i) << "k " << k;
        }
      }
    }
  }
}

// A rare row that is best of all, and one that is below every guess.
TEST(Strengths, OfFewRowsMayBeTheBestAndTheWorst) {
  constexpr std::uint32_t rows = 20'000;
  Rng rng(4);
  Table table = random_table(rng, {rows, 0, 3, 2, 0.0});
  LevelProfiles profiles(rows, table.schema().private_domain_sizes(), 6);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t j = 0; j < 3; ++j) {
      std::uint32_t strength = row % 1000 == 7 ? 6 : row % 1000 == 8 ? 1 : row % 3 == 0 ? 3 : 0;
      profiles.set(RowId{row}, PrivateId{j}, ValueId{0}, strength);
    }
  }
  Profiles kinds = profiles;
  Served served(table, kinds, false);
  Query query = empty_query(table.schema());
  for (auto& wanted : query.wanted) wanted = {ValueId{0}};
  auto scores = plain::scores(public_part(table), kinds, query, weights_of(table.schema()));
  for (std::uint32_t k : {1U, 20U, 21U, 30U, 6700U, 6720U, rows}) {
    std::vector<std::uint32_t> found;
    for (const Hit& hit : served.index.rank(query, {.k = k}).hits) found.push_back(+hit.row);
    ASSERT_EQ(found, plain::top_k(scores, served.live, k)) << "k " << k;
  }
}

// The best rows are all in lines that a guess looks at, so it is too high. Rows of
// other groups, and worse than all others, must not make up for those that are missing then.
class AGuessTooHigh : public ::testing::Test {
 protected:
  static constexpr std::uint32_t rows = 20'000;
  static constexpr std::uint32_t k = 100;

  // Eighty rows are better than others, all in lines that are sampled. Of the third attribute all
  // have the same.
  AGuessTooHigh() : strengths(rows, table.schema().private_domain_sizes(), 6) {
    for (std::uint32_t row = 0; row < rows; ++row) {
      set(row, 0, is_low(row) ? 1 : 3);
      set(row, 2, 3);
    }
    for (std::uint32_t line : {2U, 7U, 12U, 17U, 21U, 26U, 31U, 36U}) {
      for (std::uint32_t i = 0; i < 10; ++i) set(line * kernels::rows_per_line + 40 * i + 1, 1, 3);
    }
    for (auto& wanted : query.wanted) wanted = {ValueId{0}};
  }

  static bool is_low(std::uint32_t row) { return row % 200 == 8; }
  void set(std::uint32_t row, std::uint32_t attribute, std::uint32_t strength) {
    strengths.set(RowId{row}, PrivateId{attribute}, ValueId{0}, strength);
  }

  void expect_plain_answer(const Profiles& profiles, const Index& index) const {
    expect_too_high(index);
    auto scores = plain::scores(public_part(table), profiles, query, weights_of(table.schema()));
    auto expected = plain::top_k(scores, std::vector<bool>(rows, true), k);
    std::vector<Answer> answers = index.rank_all(std::vector<Query>(5, query), {.k = k});
    answers.push_back(index.rank(query, {.k = k}));
    for (const Answer& answer : answers) {
      std::vector<std::uint32_t> found;
      for (const Hit& hit : answer.hits) found.push_back(+hit.row);
      ASSERT_EQ(found, expected);
    }
  }

  Rng rng{10};
  Table table = random_table(rng, {rows, 0, 3, 2, 0.0});
  LevelProfiles strengths;
  Query query = empty_query(table.schema());

 private:
  void expect_too_high(const Index& index) const {
    QueryPlan plan(index.state(), query, weights_of(table.schema()));
    SegmentPlan segment(index.state().slots[0], plan);
    ScanPlan scan(segment, k, no_floor);
    ASSERT_GT(scan.attempts(), 1U);
    auto first = scan.start(0);
    first->advance(0, lines_of(rows));
    ASSERT_LT(first->take().size(), k) << "the guess is not too high";
  }
};

TEST_F(AGuessTooHigh, IsNotMadeUpForByWorseRows) {
  Index index = Index::build(public_part(table), Profiles(strengths), {"test", 0, 10, {}});
  expect_plain_answer(strengths, index);
}

TEST_F(AGuessTooHigh, IsNotMadeUpForByOtherGroups) {
  std::vector<std::uint32_t> group_of(rows, 0);
  for (std::uint32_t row = 0; row < rows; ++row) group_of[row] = is_low(row) ? 1 : 0;
  GroupShares shares(2, strengths.domain_sizes());
  shares.set_size(0, 5);
  shares.set_size(1, 5);
  shares.set_count(0, PrivateId{0}, ValueId{0}, 3);
  Profiles profiles = GroupedProfiles{Fraction{1, 2}, strengths, group_of, shares};
  Index index = Index::build(public_part(table), profiles, {"test", 0, 10, {}});
  ASSERT_TRUE(first_segment(index).main_run());
  expect_plain_answer(profiles, index);
}

// Queries for nothing, and for more planes than a kernel takes.
TEST(Strengths, AreRankedWithoutAProgram) {
  Rng rng(9);
  Table table = random_table(rng, {5000, 0, 12, 40, 0.0});
  Profiles profiles = nearly_alike(rng, table, 200);
  Served served(table, profiles, true);
  Query all = empty_query(table.schema());
  for (std::uint32_t i = 0; i < all.wanted.size(); ++i) {
    for (std::uint32_t v = 0; v < table.schema().attributes[i].domain.size(); ++v) {
      all.wanted[i].push_back(ValueId{static_cast<std::uint16_t>(v)});
    }
  }
  const auto& state = served.index.state();
  QueryPlan plan(state, all, weights_of(state.schema));
  ASSERT_GT(SegmentPlan(state.slots[0], plan).feeds().size(), 254U);
  for (const Query& query : {empty_query(table.schema()), all}) {
    auto scores = plain::scores(public_part(table), profiles, query, weights_of(table.schema()));
    for (std::uint32_t k : {1U, 100U, 5000U}) {
      std::vector<std::uint32_t> found;
      for (const Hit& hit : served.index.rank(query, {.k = k}).hits)
        found.push_back(served.kept[+hit.row]);
      ASSERT_EQ(found, plain::top_k(scores, served.live, k)) << "k " << k;
    }
  }
}

// Two attributes are nearly alike, the strengths of the others lie about two levels.
TEST(Strengths, OfTwoKindsAreRankedWithBounds) {
  for (std::uint64_t seed = 0; seed < some_of(4U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = some_table(rng);
    LevelProfiles strengths(table.rows(), table.schema().private_domain_sizes(), 15);
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      for (std::uint32_t j = 0; j < 2; ++j) {
        std::uint32_t strength = row % 150 == 9 ? 1 + static_cast<std::uint32_t>(rng.below(15)) : 5;
        ValueId value = skewed_value(rng, strengths.domain_sizes()[j]);
        strengths.set(RowId{row}, PrivateId{j}, value, strength);
      }
      for (std::uint32_t j = 2; j < 4; ++j) {
        std::uint32_t domain = strengths.domain_sizes()[j];
        ValueId shown = skewed_value(rng, domain);
        for (std::uint16_t v = 0; v < domain; ++v) {
          auto noise = static_cast<std::uint32_t>(rng.below(3));
          strengths.set(RowId{row}, PrivateId{j}, ValueId{v},
                        noise + (ValueId{v} == shown ? 11 : 1));
        }
      }
    }
    Profiles profiles = strengths;
    Served served(table, profiles, seed % 2 == 1, {.far_bytes = 0, .look_bytes = 0});
    const auto& state = served.index.state();
    Query query = empty_query(state.schema);
    for (auto& wanted : query.wanted) wanted = {ValueId{0}};
    QueryPlan plan(state, query, weights_of(state.schema));
    SegmentPlan segment(state.slots[0], plan);
    ASSERT_TRUE(ScanPlan(segment, 5, no_floor).bounded());
    expect_plain_answers(served, rng);
  }
}

// Two values a row, each at a strength of its own: 5 and 10 in turn; one row in `rarity` has
// others.
LevelProfiles few_strengths(Rng& rng, const Table& table, std::uint32_t rarity) {
  LevelProfiles profiles(table.rows(), table.schema().private_domain_sizes(), 15);
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

// Every row has a strength of nearly every value, one of four; `others` rows have any or none.
LevelProfiles full_strengths(Rng& rng, const Table& table, std::uint32_t others) {
  LevelProfiles profiles(table.rows(), table.schema().private_domain_sizes(), 15);
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

TEST(Strengths, ThatEveryRowHasAreTheSameHoweverOneAsks) {
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
      for (std::uint32_t row = 0; row < served.kept.size(); ++row) {
        ASSERT_NEAR(static_cast<double>(scores.values[row]) * scores.unit,
                    plain::to_double(plain_scores[served.kept[row]]), 1e-9);
      }
    }
  }
}

TEST(Strengths, WithAValueForEachAreRanked) {
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
