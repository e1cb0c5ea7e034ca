// Appended and erased rows against an index built from scratch.
#include <gtest/gtest.h>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/ranking/index.h"
#include "rankveil/ranking/testing/random_tables.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

// All rows there ever were, kept beside the index that is put together piece by piece.
struct History {
  Table all;          // every row
  Profiles profiles;  // of every row
  std::vector<bool> live;
};

Table slice(const Table& table, std::uint32_t begin, std::uint32_t end) {
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    std::vector<ValueId> values;
    for (std::uint32_t row = begin; row < end; ++row) {
      values.push_back(table.value(RowId{row}, AttributeId{i}));
    }
    columns.emplace_back(table.schema().attributes[i].domain.size(), values);
  }
  return Table(table.schema(), std::move(columns), RowNames(RowNumbers{end - begin}));
}

// The profiles of some rows; shown ones keep their groups (numbered from 0 in every slice).
LevelProfiles slice_profiles(const LevelProfiles& all, const std::vector<std::uint32_t>& rows) {
  auto count = static_cast<std::uint32_t>(rows.size());
  LevelProfiles made(count, all.domain_sizes(), all.levels());
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t j = 0; j < all.domain_sizes().size(); ++j) {
      for (std::uint32_t v = 0; v < all.domain_sizes()[j]; ++v) {
        ValueId value{static_cast<std::uint16_t>(v)};
        std::uint32_t strength = all.strength(RowId{rows[i]}, PrivateId{j}, value);
        if (strength != 0) made.set(RowId{i}, PrivateId{j}, value, strength);
      }
    }
  }
  return made;
}

GroupedProfiles slice_profiles(const GroupedProfiles& all, const std::vector<std::uint32_t>& rows) {
  GroupedProfiles made{all.keep, slice_profiles(all.signals, rows), {}, all.shares};
  for (std::uint32_t row : rows) made.group_of.push_back(all.group_of[row]);
  return made;
}

Profiles slice_profiles(const Profiles& all, const std::vector<std::uint32_t>& rows) {
  return std::visit([&](const auto& kind) { return Profiles(slice_profiles(kind, rows)); },
                    all.kinds());
}

// One row and the group it is in, alone.
GroupedProfiles slice_grouped(const GroupedProfiles& all, std::uint32_t row) {
  GroupedProfiles made = slice_profiles(all, {row});
  made.group_of = {0};
  made.shares = GroupShares(1, all.shares.domain_sizes());
  return made;
}

std::vector<std::uint32_t> range(std::uint32_t begin, std::uint32_t end) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = begin; row < end; ++row) rows.push_back(row);
  return rows;
}

std::vector<std::pair<std::string, std::int64_t>> named(const Index& index, const Answer& answer) {
  std::vector<std::pair<std::string, std::int64_t>> hits;
  for (const Hit& hit : answer.hits) hits.emplace_back(index.name(hit.row), hit.score);
  return hits;
}

Profiles profiles_for(Rng& rng, const Table& table) {
  switch (rng.below(4)) {
    case 0:
      return random_levels(rng, table, 1);
    case 2:
      return random_grouped(rng, table, 6, {1, 2}, 3);
    case 1:
      return random_levels(rng, table, 4);
    default:
      return random_grouped(rng, table, 6, {1, 3});
  }
}

// Live rows only, called by their number in `all`.
Index from_scratch(const History& history) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < history.live.size(); ++row) {
    if (history.live[row]) rows.push_back(row);
  }
  PublicTable part{history.all.schema(), {}, {}};
  IntegerNames names;
  for (std::uint32_t row : rows) names.values.push_back(row);
  part.names = RowNames(std::move(names));
  for (std::uint32_t i = 0; i < part.schema.public_count(); ++i) {
    std::vector<ValueId> values;
    for (std::uint32_t row : rows) {
      values.push_back(history.all.value(RowId{row}, AttributeId{i}));
    }
    part.columns.emplace_back(part.schema.attributes[i].domain.size(), values);
  }
  return Index::build(std::move(part), slice_profiles(history.profiles, rows), {});
}

void expect_equal(const Index& index, const Index& scratch, Rng& rng) {
  ASSERT_EQ(index.rows(), scratch.rows());
  for (int i = 0; i < 4; ++i) {
    Query query = random_query(rng, index.schema());
    Weights weights = random_weights(rng, index.schema(), static_cast<WeightKind>(rng.below(3)));
    for (std::uint32_t k : {1U, 7U, 5000U}) {
      Answer mine = index.rank(query, {k, 1, &weights});
      Answer theirs = scratch.rank(query, {k, 1, &weights});
      ASSERT_EQ(named(index, mine), named(scratch, theirs)) << "k " << k;
    }
    auto mine = index.ranks(query, RankKind::Ordinal, &weights);
    auto theirs = scratch.ranks(query, RankKind::Ordinal, &weights);
    ASSERT_EQ(mine, theirs);
  }
}

TEST(IndexUpdate, AnySequenceEqualsAnIndexBuiltFromScratch) {
  for (std::uint64_t seed = 0; seed < some_of(250U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto total = 40 + static_cast<std::uint32_t>(rng.below(900));
    RandomShape shape{total, 2, 3, rng.below(8) == 0 ? 120U : 6U};
    Table all = random_table(rng, shape);
    Profiles profiles = profiles_for(rng, all);
    History history{all, profiles, {}};
    auto used = static_cast<std::uint32_t>(rng.below(total));
    Index index = Index::build(public_part(slice(all, 0, used)),
                               slice_profiles(profiles, range(0, used)), {});
    history.live.assign(used, true);
    std::vector<std::uint32_t> row_of(range(0, used));  // index row -> row of `all`
    for (int step = 0; step < 5; ++step) {
      if (used < total && rng.below(2) == 0) {
        std::uint32_t end = used + 1 + static_cast<std::uint32_t>(rng.below(total - used));
        PublicTable part = public_part(slice(all, used, end));
        IntegerNames names;
        for (std::uint32_t row : range(used, end)) names.values.push_back(row);
        part.names = RowNames(std::move(names));
        auto grown = index.append(std::move(part), slice_profiles(profiles, range(used, end)));
        ASSERT_TRUE(grown) << grown.error().message;
        index = *grown;
        for (std::uint32_t row : range(used, end)) row_of.push_back(row);
        history.live.resize(end, true);
        used = end;
      } else if (rng.below(4) != 0 && index.rows() > 0) {
        std::vector<RowId> gone;
        for (std::uint64_t i = rng.below(1 + index.rows() / 3) + 1; i-- > 0;) {
          gone.push_back(RowId{static_cast<std::uint32_t>(rng.below(index.rows()))});
        }
        for (RowId row : gone) history.live[row_of[+row]] = false;
        index = index.erase(gone);
        std::erase_if(row_of, [&](std::uint32_t row) { return !history.live[row]; });
        ASSERT_EQ(index.rows(), row_of.size());
      } else {
        index = index.erase({});
        ASSERT_EQ(index.rows(), row_of.size());
      }
      expect_equal(index, from_scratch(history), rng);
    }
  }
}

TEST(IndexUpdate, NewValuesMayComeWithNewRows) {
  Schema schema;
  schema.attributes.push_back({"city", Visibility::Public, 1, numbered_domain(2)});
  schema.attributes.push_back({"diet", Visibility::Private, 1, numbered_domain(2)});
  std::vector<ValueId> zero = {ValueId{0}};
  Table old(schema, {Column(2, zero), Column(2, zero)}, RowNames(RowNumbers{1}));
  schema.attributes[0].domain = numbered_domain(3);
  schema.attributes[1].domain = numbered_domain(4);
  std::vector<ValueId> two = {ValueId{2}};
  Table grown(schema, {Column(3, two), Column(4, two)}, RowNames(RowNumbers{1}));
  Index index = Index::build(public_part(old), unprotected_profiles(old), {});
  auto both = index.append(public_part(grown), unprotected_profiles(grown));
  ASSERT_TRUE(both);
  Query query = empty_query(both->schema());
  query.wanted = {{ValueId{2}}, {ValueId{2}}};
  Answer answer = both->rank(query, {1, 1, nullptr});
  EXPECT_EQ(+answer.hits.at(0).row, 1U);
  EXPECT_EQ(answer.hits.at(0).score, 2);
  EXPECT_EQ(both->erase({}).rank(query, {1, 1, nullptr}).hits, answer.hits);
}

TEST(IndexUpdate, NumberedRowsNeverShareANumber) {
  Rng rng(2);
  Table table = random_table(rng, {3, 1, 1});
  Index index = Index::build(public_part(table), unprotected_profiles(table), {});
  index = index.erase(std::vector<RowId>{RowId{0}});
  auto grown = index.append(public_part(table), unprotected_profiles(table));
  ASSERT_TRUE(grown);
  std::vector<std::string> names;
  for (std::uint32_t row = 0; row < grown->rows(); ++row) names.push_back(grown->name(RowId{row}));
  EXPECT_EQ(names, (std::vector<std::string>{"1", "2", "3", "4", "5"}));
}

TEST(IndexUpdate, GivesBackTheProfilesItWasMadeOf) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = random_table(rng, {200, 1, 3, seed % 5 == 0 ? 90U : 6U});
    Profiles profiles = profiles_for(rng, table);
    Profiles back = Index::build(public_part(table), profiles, {}).profiles();
    ASSERT_EQ(back.rows(), 200U);
    for (std::uint32_t row = 0; row < 200; ++row) {
      for (std::uint32_t j = 0; j < 3; ++j) {
        for (std::uint32_t v = 0; v < table.schema().private_domain_sizes()[j]; ++v) {
          ValueId value{static_cast<std::uint16_t>(v)};
          ASSERT_EQ(back.match(RowId{row}, PrivateId{j}, value),
                    profiles.match(RowId{row}, PrivateId{j}, value));
        }
      }
    }
  }
}

TEST(IndexUpdate, ErasingForgetsGroupsWithoutRows) {
  Rng rng(3);
  Table table = random_table(rng, {2, 1, 1});
  GroupedProfiles profiles =
      std::get<GroupedProfiles>(random_grouped(rng, table, 2, {1, 2}).kinds());
  profiles.group_of = {0, 1};
  Index index = Index::build(public_part(table), profiles, {});
  Index smaller = index.erase(std::vector<RowId>{RowId{1}});
  GroupedProfiles alone = slice_grouped(profiles, 0);
  Index scratch = Index::build(public_part(slice(table, 0, 1)), alone, {});
  EXPECT_EQ(smaller.bytes(), scratch.bytes());
}

TEST(IndexUpdate, AnIndexOutlivesChangesToTheProfilesItWasMadeOf) {
  Rng rng(4);
  Table table = random_table(rng, {10, 1, 1});
  LevelProfiles profiles(10, table.schema().private_domain_sizes(), 1);
  Index index = Index::build(public_part(table), profiles, {});
  profiles.set(RowId{3}, PrivateId{0}, ValueId{1});
  EXPECT_EQ(index.match(RowId{3}, PrivateId{0}, ValueId{1}), 0);
  EXPECT_EQ(profiles.strength(RowId{3}, PrivateId{0}, ValueId{1}), 1U);
}

TEST(IndexUpdate, UnprotectedRowsMarkTheIndex) {
  Rng rng(5);
  Table table = random_table(rng, {10, 1, 1});
  Index index = Index::build(public_part(table), random_levels(rng, table, 1), {"pvsv", 2, 10, {}});
  EXPECT_FALSE(index.info().unprotected());
  auto grown = index.append(public_part(table), unprotected_profiles(table));
  ASSERT_TRUE(grown);
  EXPECT_TRUE(grown->info().unprotected());
  EXPECT_TRUE(grown->erase({}).info().unprotected());
}

// Ids too far apart for offsets are kept as texts, and are numbers all the same.
TEST(IndexUpdate, NumbersKeptAsTextsAreNumbers) {
  Rng rng(3);
  Table table = random_table(rng, {4, 1, 1});
  PublicTable named = public_part(table);
  named.names = RowNames(IntegerNames{{1, 2, 5, 10'000'000'000}});
  Index index = Index::build(named, unprotected_profiles(table), {});
  for (std::uint32_t first : {4U, 8U}) {
    auto grown = index.append(public_part(table), unprotected_profiles(table));
    ASSERT_TRUE(grown);
    index = *grown;
    EXPECT_EQ(index.name(RowId{first}), std::to_string(10'000'000'001 + first - 4));
  }
}

TEST(IndexUpdate, RefusesRowsOfAnotherShape) {
  Rng rng(1);
  Table table = random_table(rng, {10, 2, 2});
  Index index = Index::build(public_part(table), unprotected_profiles(table), {});
  Table other = random_table(rng, {10, 1, 2});
  EXPECT_FALSE(index.append(public_part(other), unprotected_profiles(other)));
  EXPECT_FALSE(index.append(public_part(table), random_levels(rng, table, 2)));
  EXPECT_FALSE(index.append(public_part(table), random_grouped(rng, table, 2, {1, 2})));
}

}  // namespace
}  // namespace rankveil
