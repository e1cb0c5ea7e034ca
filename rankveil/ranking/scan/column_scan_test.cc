#include "rankveil/ranking/scan/column_scan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/ranking/store/state.h"
#include "rankveil/ranking/testing/expect_plain.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

const GroupedProfiles& grouped(const Profiles& profiles) {
  return std::get<GroupedProfiles>(profiles.kinds());
}

Query first_values(const Schema& schema) {
  Query query = empty_query(schema);
  for (auto& wanted : query.wanted) wanted.push_back(ValueId{0});
  return query;
}

bool has_columns(const Index& index) {
  return index.state().slots[0].segment->group_columns.has_value();
}

bool goes_by_columns(const Index& index, const Query& query, const Weights& weights) {
  QueryPlan plan(index.state(), query, weights);
  SegmentPlan segment(index.state().slots[0], plan);
  return ScanPlan(segment, 5, no_floor).by_columns();
}

Weights weights_of(const std::vector<double>& weights) { return *Weights::of(weights); }

struct ColumnCase {
  Table table;
  Profiles profiles;
  Index index;

  ColumnCase(Rng& rng, std::uint32_t rows, std::uint32_t groups, Fraction keep)
      : table(random_table(rng, {rows, 3, 4})),
        profiles(random_grouped(rng, table, groups, keep)),
        index(Index::build(public_part(table), profiles, {"test", 0, 10, {}})) {}
};

TEST(GroupColumns, HoldEveryRowOnceInASlotOfItsGroup) {
  Rng rng(1);
  ColumnCase example(rng, 9000, 1500, {1, 3});
  const auto& state = example.index.state();
  auto columns = GroupColumns::of(*state.slots[0].segment, state.kind);
  ASSERT_TRUE(columns);
  std::vector<std::uint32_t> seen(9000, 0);
  for (std::uint32_t position = 0; position < columns->order.size(); ++position) {
    std::uint32_t row = columns->order[position];
    if (row == GroupColumns::nobody) continue;
    ++seen[row];
    std::uint32_t block = columns->block_at(position / kernels::rows_per_line);
    ASSERT_LE(columns->first_line[block], position / kernels::rows_per_line);
    ASSERT_GT(columns->first_line[block + 1], position / kernels::rows_per_line);
    std::uint32_t slot = block * GroupColumns::slots_per_block + position % kernels::rows_per_line;
    ASSERT_EQ(columns->groups[slot].number, grouped(example.profiles).group_of[row]);
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1U), 9000);
}

TEST(GroupColumns, PutNobodyInFewPlaces) {
  Rng rng(2);
  Table table = random_table(rng, {60'000, 2, 2});
  GroupedProfiles profiles = grouped(random_grouped(rng, table, 9000, {0, 1}));
  // Some are a hundred times as large as others.
  for (std::uint32_t row = 0; row < 5000; ++row) profiles.group_of[row] = row % 8;
  Index index = Index::build(public_part(table), Profiles(profiles), {"test", 0, 10, {}});
  auto columns = GroupColumns::of(*index.state().slots[0].segment, index.state().kind);
  ASSERT_TRUE(columns);
  auto places = static_cast<double>(columns->order.size());
  EXPECT_LT(places, 60'000 * 1.15);
}

TEST(GroupColumns, AreNotMadeOfLargeOrFewGroups) {
  Rng rng(3);
  ColumnCase few(rng, 4000, 300, {1, 3});
  EXPECT_FALSE(GroupColumns::of(*few.index.state().slots[0].segment, few.index.state().kind));
  ColumnCase large(rng, 100'000, 600, {1, 3});
  EXPECT_FALSE(GroupColumns::of(*large.index.state().slots[0].segment, large.index.state().kind));
}

// As kernels read it.
std::uint32_t count_at(const GroupColumns& columns, const std::uint8_t* counts, std::size_t slot) {
  auto block = static_cast<std::uint32_t>(slot / 512);
  const std::uint8_t* of_block = counts + columns.offset_of(block);
  if (!columns.is_halved(block)) return of_block[slot % 512];
  return slot % 512 < 256 ? of_block[slot % 256] % 16 : of_block[slot % 256] / 16;
}

// Of groups of at most 48 rows whole multiples; of larger ones bounds of their shares.
TEST(GroupColumns, RoundCountsOfLargeGroupsUp) {
  Rng rng(4);
  ColumnCase example(rng, 12'000, 3000, {1, 3});
  const auto& state = example.index.state();
  auto columns = GroupColumns::of(*state.slots[0].segment, state.kind);
  ASSERT_TRUE(columns);
  const GroupShares& shares = grouped(example.profiles).shares;
  std::uint32_t rounded = 0;
  for (std::uint32_t j = 0; j < shares.domain_sizes().size(); ++j) {
    EXPECT_EQ(columns->counts_of(j, shares.domain_sizes()[j]), nullptr);
    for (std::uint16_t v = 0; v < shares.domain_sizes()[j]; ++v) {
      const std::uint8_t* counts = columns->counts_of(j, v);
      for (std::size_t slot = 0; slot < columns->groups.size(); ++slot) {
        if (columns->units[slot] == 0) continue;  // nobody's
        const GroupColumns::Group& group = columns->groups[slot];
        std::uint32_t count = shares.count(group.number, PrivateId{j}, ValueId{v});
        std::uint32_t size = shares.size(group.number);
        double unit = group.factor / (group.size > 0 ? group.size : 48);
        ASSERT_GE(columns->units[slot] * columns->largest_unit, unit * 255 * (1 - 1e-12));
        if (group.size > 0) {
          std::uint32_t times = group.size / size;
          std::uint32_t most = size <= 15 ? 15 : 48;
          ASSERT_EQ(group.size, times * size);
          ASSERT_GT(group.size, most / 2);
          ASSERT_LE(group.size, most);
          ASSERT_EQ(count_at(*columns, counts, slot), times * count);
        } else {
          ++rounded;
          ASSERT_GT(size, 48U);
          ASSERT_GE(count_at(*columns, counts, slot) * size, count * 48);
          ASSERT_LT(count_at(*columns, counts, slot) * size, count * 48 + size);
        }
      }
    }
  }
  EXPECT_GT(rounded, 0U);
  EXPECT_GT(columns->first_halved, 0U);
  EXPECT_LT(columns->first_halved, columns->blocks());
}

// Whole weights; those of private attributes are equal, or one is twice the others.
Weights column_weights(Rng& rng, const Schema& schema) {
  std::vector<double> weights;
  auto of_private = static_cast<double>(1 + rng.below(3));
  for (const Attribute& attribute : schema.attributes) {
    double of_public = rng.below(2) == 0 ? of_private : static_cast<double>(1 + rng.below(4));
    weights.push_back(attribute.is_private() ? of_private : of_public);
  }
  if (rng.below(2) == 0) weights.back() *= 2;
  return weights_of(weights);
}

void expect_plain_columns(const Served& served, Rng& rng) {
  const Table& table = served.table;
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(::testing::Message() << "query " << i);
    Query query = random_query(rng, table.schema());
    Weights weights = column_weights(rng, table.schema());
    auto scores = plain::scores(public_part(table), served.profiles, query, weights);
    for (std::uint32_t k : {1U, 50U, table.rows() / 3, table.rows()}) {
      auto threads = static_cast<std::uint32_t>(1 + i % 2 * 2);
      std::vector<std::uint32_t> rows;
      Answer answer = served.index.rank(query, {k, threads, &weights});
      for (const Hit& hit : answer.hits) {
        rows.push_back(served.kept[+hit.row]);
        ASSERT_NEAR(static_cast<double>(hit.score) * answer.unit,
                    plain::to_double(scores[rows.back()]), 1e-9);
      }
      ASSERT_EQ(rows, plain::top_k(scores, served.live, k)) << "k " << k;
    }
  }
}

TEST(ByColumns, AnswersStayTheSame) {
  const Fraction keeps[] = {{1, 3}, {0, 1}, {1, 2}, {2, 3}, {1, 1}};
  std::uint32_t in_columns = 0;
  for (std::uint64_t seed = 0; seed < some_of(16U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    // Rare values of large domains are lists of rows.
    Table table = random_table(
        rng, {3000 + static_cast<std::uint32_t>(rng.below(6000)), 3, 4, seed % 4 == 2 ? 150U : 6U});
    auto groups = 600 + static_cast<std::uint32_t>(rng.below(table.rows() / 5));
    std::uint32_t levels = seed % 4 == 3 ? 3 : 1;
    Profiles profiles = random_grouped(rng, table, groups, keeps[seed % 5], levels);
    Served served(table, profiles, seed % 3 == 1);
    in_columns += has_columns(served.index) ? 1 : 0;
    expect_plain_columns(served, rng);
  }
  EXPECT_GE(in_columns * 4, some_of(16U) * 3);
}

// Every row has strength 1 or 2 of the first private value.
TEST(ByColumns, AnswersStayTheSameWhereAllRowsHaveSomethingAlike) {
  Rng rng(9);
  Table table = random_table(rng, {6000, 2, 3});
  std::vector<std::uint32_t> domains = table.schema().private_domain_sizes();
  GroupedProfiles made{
      {1, 3}, LevelProfiles(table.rows(), domains, 3), {}, GroupShares(900, domains)};
  for (std::uint32_t g = 0; g < 900; ++g) {
    made.shares.set_size(g, 6);
    for (std::uint32_t j = 0; j < 3; ++j) {
      made.shares.set_count(g, PrivateId{j}, ValueId{0}, 1 + g % 5);
      made.shares.set_count(g, PrivateId{j}, ValueId{1}, 5 - g % 5);
    }
  }
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    made.group_of.push_back(row % 900);
    for (std::uint32_t j = 0; j < 3; ++j) {
      auto strength = static_cast<std::uint32_t>(j == 0 ? 1 + rng.below(2) : rng.below(4));
      made.signals.set(RowId{row}, PrivateId{j}, ValueId{0}, strength);
    }
  }
  Profiles profiles = made;
  Served served(table, profiles, false);
  ASSERT_TRUE(has_columns(served.index));
  const auto& state = served.index.state();
  Query query = first_values(table.schema());
  QueryPlan plan(state, query, state.weights);
  SegmentPlan segment(state.slots[0], plan);
  EXPECT_TRUE(ScanPlan(segment, 5, no_floor).by_columns());
  expect_plain_columns(served, rng);
}

// Twelve attributes whose values nearly all rows of a group share: sums of counts are above 255.
TEST(ByColumns, SumsThatDoNotFitAByteAreNotGuessed) {
  Rng rng(7);
  Table table = random_table(rng, {6000, 2, 12});
  GroupedProfiles profiles = grouped(random_grouped(rng, table, 900, {1, 3}));
  for (std::uint32_t g = 0; g < 900; g += 2) {
    std::uint32_t size = 30 + g % 40;
    profiles.shares.set_size(g, size);
    for (std::uint32_t j = 0; j < 12; ++j) {
      for (std::uint16_t v = 0; v < profiles.shares.domain_sizes()[j]; ++v) {
        profiles.shares.set_count(g, PrivateId{j}, ValueId{v}, v == 0 ? size - g % 7 : 0);
      }
    }
  }
  Profiles all = profiles;
  Served served(table, all, true);
  ASSERT_TRUE(has_columns(served.index));
  Query query = first_values(table.schema());
  EXPECT_TRUE(goes_by_columns(served.index, query, served.index.state().weights));
  expect_plain_columns(served, rng);
}

TEST(ByColumns, AnswersStayTheSameWhenRowsAreAppendedAndErased) {
  Rng rng(8);
  ColumnCase example(rng, 5000, 900, {1, 3});
  ASSERT_TRUE(has_columns(example.index));
  Rng more(9);
  std::vector<Column> columns;
  for (const Attribute& attribute : example.table.schema().attributes) {
    columns.push_back(random_column(more, 700, attribute.domain.size(), 0.05));
  }
  Table later(example.table.schema(), std::move(columns), RowNames(RowNumbers{700}));
  Profiles later_profiles = random_grouped(more, later, 40, {1, 3});
  auto grown = example.index.append(public_part(later), later_profiles);
  ASSERT_TRUE(grown);
  std::vector<bool> live(5700, true);
  std::vector<RowId> gone;
  std::vector<std::uint32_t> kept;
  for (std::uint32_t row = 0; row < 5700; ++row) {
    live[row] = row % 11 != 3;
    if (live[row]) kept.push_back(row);
    if (!live[row]) gone.push_back(RowId{row});
  }
  Index index = grown->erase(gone);
  ASSERT_TRUE(has_columns(index));
  for (const Index& each : {*grown, index}) {
    EXPECT_TRUE(goes_by_columns(each, first_values(later.schema()), each.state().weights));
  }
  Weights weights = index.state().weights;
  for (int i = 0; i < 30; ++i) {
    SCOPED_TRACE(::testing::Message() << "query " << i);
    Query query = random_query(rng, later.schema());
    auto scores = plain::scores(public_part(example.table), example.profiles, query, weights);
    auto behind = plain::scores(public_part(later), later_profiles, query, weights);
    scores.insert(scores.end(), behind.begin(), behind.end());
    for (std::uint32_t k : {1U, 40U, 5700U}) {
      std::vector<std::uint32_t> rows;
      for (const Hit& hit : index.rank(query, {k, 2}).hits) rows.push_back(kept[+hit.row]);
      ASSERT_EQ(rows, plain::top_k(scores, live, k)) << "k " << k;
      rows.clear();
      for (const Hit& hit : grown->rank(query, {k, 2}).hits) rows.push_back(+hit.row);
      ASSERT_EQ(rows, plain::top_k(scores, std::vector<bool>(5700, true), k)) << "k " << k;
    }
  }
}

// Sums fit a byte where weights are small multiples of one.
TEST(ByColumns, AreForWeightsThatAreNotTooDifferent) {
  Rng rng(10);
  ColumnCase example(rng, 5000, 900, {1, 3});
  ASSERT_TRUE(has_columns(example.index));
  Query query = first_values(example.table.schema());
  const Weights unit = weights_of({1, 1, 1, 1, 1, 1, 1});
  const Weights alike = weights_of({1, 2, 3, 2, 2, 2, 2});
  const Weights multiples = weights_of({1, 1, 1, 3, 6, 3, 3});
  const Weights different = weights_of({1, 1, 1, 1, 9, 1, 1});
  EXPECT_TRUE(goes_by_columns(example.index, query, unit));
  EXPECT_TRUE(goes_by_columns(example.index, query, alike));
  EXPECT_TRUE(goes_by_columns(example.index, query, multiples));
  EXPECT_FALSE(goes_by_columns(example.index, query, different));
}

TEST(ByColumns, AGuessIsReachedByAFewTimesAsManyRows) {
  int too_high = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(seed);
    ColumnCase example(rng, 40'000, 5000, {1, 3});
    const auto& state = example.index.state();
    auto columns = GroupColumns::of(*state.slots[0].segment, state.kind);
    ASSERT_TRUE(columns);
    Query query = first_values(example.table.schema());
    QueryPlan plan(state, query, state.weights);
    SegmentPlan segment(state.slots[0], plan);
    auto by_columns = ColumnPlan::of(segment, *columns);
    ASSERT_NE(by_columns, nullptr);
    Guess guess = by_columns->guess(20);
    ASSERT_NE(guess.likely, no_floor);
    EXPECT_LT(guess.cautious, guess.likely);
    Answer all = example.index.rank(query, {.k = 40'000});
    auto reaching = std::count_if(all.hits.begin(), all.hits.end(),
                                  [&](const Hit& hit) { return hit.score >= guess.likely; });
    too_high += reaching < 20 ? 1 : 0;
    EXPECT_LE(reaching, 20 * 5) << "seed " << seed;
  }
  EXPECT_LE(too_high, 1);
}

}  // namespace
}  // namespace rankveil
