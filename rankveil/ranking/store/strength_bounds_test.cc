#include "rankveil/ranking/store/strength_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/ranking/scan/first_guess.h"
#include "rankveil/ranking/scan/query_plan.h"
#include "rankveil/ranking/scan/scan.h"
#include "rankveil/ranking/store/far.h"
#include "rankveil/ranking/store/state.h"
#include "rankveil/ranking/testing/expect_plain.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

struct Shape {
  std::uint32_t levels;
  std::uint32_t spread;  // of the strengths of rows that show a value, and of the others
  std::uint32_t rarity;  // one row in so many has any strengths
};

// Each row shows a value of each attribute. Strengths of values lie about two levels, one for rows
// that show it and one for the others.
LevelProfiles two_levels(Rng& rng, const Table& table, const Shape& shape) {
  LevelProfiles profiles(table.rows(), table.schema().private_domain_sizes(), shape.levels);
  for (std::uint32_t j = 0; j < profiles.domain_sizes().size(); ++j) {
    std::uint32_t domain = profiles.domain_sizes()[j];
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      bool rare = rng.below(shape.rarity) == 0;
      ValueId shown = skewed_value(rng, domain);
      for (std::uint32_t v = 0; v < domain; ++v) {
        ValueId value{static_cast<std::uint16_t>(v)};
        std::uint64_t strength = value == shown ? shape.levels / 2 : 0;
        strength = rare ? rng.below(shape.levels + 1) : strength + rng.below(shape.spread + 1);
        profiles.set(RowId{row}, PrivateId{j}, value, static_cast<std::uint32_t>(strength));
      }
    }
  }
  return profiles;
}

Shape random_shape(Rng& rng) {
  std::uint32_t levels = std::vector<std::uint32_t>{4, 6, 15, 40, 255}[rng.below(5)];
  return {levels, static_cast<std::uint32_t>(rng.below(levels / 4 + 1)),
          20 + static_cast<std::uint32_t>(rng.below(500))};
}

std::vector<AttributePlanes> planes_of(const LevelProfiles& profiles) {
  std::vector<AttributePlanes> all;
  for (std::uint32_t j = 0; j < profiles.domain_sizes().size(); ++j) {
    all.push_back(profiles.planes(PrivateId{j}));
  }
  return all;
}

std::int64_t bit_at(const std::uint64_t* bitmap, std::uint32_t row) {
  return bitmap == nullptr ? 0 : static_cast<std::int64_t>((bitmap[row / 64] >> (row % 64)) & 1);
}

// In parts of a level.
std::int64_t bound_at(const StrengthBounds::Bound& bound, std::uint32_t row) {
  return bound.low + bit_at(bound.bitmap, row) * bound.step;
}

TEST(StrengthCodes, GiveTheStrengthsOfEveryRow) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    Table table = random_table(rng, {1 + static_cast<std::uint32_t>(rng.below(900)), 1, 3});
    LevelProfiles profiles = two_levels(rng, table, random_shape(rng));
    auto codes = StrengthCodes::of(planes_of(profiles), table.rows());
    ASSERT_TRUE(codes);
    std::vector<std::vector<std::uint32_t>> counts(codes->attributes());
    for (std::uint32_t j = 0; j < counts.size(); ++j) counts[j].resize(codes->counts(j).size());
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      for (std::uint32_t j = 0; j < codes->attributes(); ++j) {
        std::size_t code = codes->row(row)[j];
        ++counts[j][code];
        for (std::uint32_t v = 0; v < codes->domain_size(j); ++v) {
          ValueId value{static_cast<std::uint16_t>(v)};
          ASSERT_EQ(codes->strength(j, v, code),
                    profiles.strength(RowId{row}, PrivateId{j}, value));
        }
      }
    }
    for (std::uint32_t j = 0; j < counts.size(); ++j) {
      EXPECT_TRUE(std::equal(counts[j].begin(), counts[j].end(), codes->counts(j).begin()));
    }
  }
}

TEST(StrengthBounds, NoRowHasMoreAndTheExcessIsRight) {
  int made = 0;
  int with_extras = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    Table table = random_table(rng, {1 + static_cast<std::uint32_t>(rng.below(3000)), 1, 3});
    Shape shape = random_shape(rng);
    LevelProfiles profiles = two_levels(rng, table, shape);
    auto bounds = StrengthBounds::of(planes_of(profiles), table.rows(), shape.levels, 0);
    if (!bounds) continue;
    ++made;
    with_extras += bounds->extras().empty() ? 0 : 1;
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      std::int64_t above = 0;  // at most, over all queries
      for (std::uint32_t j = 0; j < bounds->attributes(); ++j) {
        std::int64_t most = 0;
        for (std::uint32_t v = 0; v < bounds->domain_size(j); ++v) {
          ValueId value{static_cast<std::uint16_t>(v)};
          std::int64_t strength = std::int64_t{profiles.strength(RowId{row}, PrivateId{j}, value)} *
                                  StrengthBounds::parts;
          StrengthBounds::Bound bound = bounds->bound(j, v);
          ASSERT_EQ(bound_at(bound, row) - bound.excess[bounds->codes(row)[j]], strength)
              << "seed " << seed << " row " << row;
          most = std::max(most, strength - bound_at(bound, row));
        }
        above += most;
      }
      std::int64_t extra = 0;
      for (const auto& [bitmap, step] : bounds->extras()) extra += bit_at(bitmap, row) * step;
      ASSERT_GE(extra, above) << "seed " << seed << " row " << row;
      ASSERT_EQ(extra, bounds->codes(row)[bounds->attributes()]);
    }
  }
  EXPECT_GT(made, 40);
  EXPECT_GT(with_extras, 20);
}

// Powers of two times a part of a full match are quick to add up.
TEST(StrengthBounds, StepsArePowersOfTwo) {
  Rng rng(3);
  Table table = random_table(rng, {3000, 1, 3});
  auto bounds = StrengthBounds::of(planes_of(two_levels(rng, table, {15, 3, 90})), 3000, 15, 0);
  ASSERT_TRUE(bounds);
  auto is_step = [](std::uint32_t step) {
    return step % 15 == 0 && std::has_single_bit(step / 15);
  };
  for (std::uint32_t j = 0; j < bounds->attributes(); ++j) {
    for (std::uint32_t v = 0; v < bounds->domain_size(j); ++v) {
      EXPECT_TRUE(is_step(bounds->bound(j, v).step)) << bounds->bound(j, v).step;
    }
  }
  for (const auto& extra : bounds->extras()) EXPECT_TRUE(is_step(extra.step)) << extra.step;
}

TEST(StrengthBounds, ThereAreNoneWhereTheyDoNotPay) {
  Rng rng(1);
  Table table = random_table(rng, {3000, 1, 12});
  auto made = [&](const Profiles& profiles, std::uint32_t levels) {
    const auto& strengths = std::get<LevelProfiles>(profiles.kinds());
    return StrengthBounds::of(planes_of(strengths), table.rows(), levels, 0).has_value();
  };
  EXPECT_TRUE(made(two_levels(rng, table, {15, 1, 200}), 15));
  EXPECT_FALSE(made(two_levels(rng, table, {15, 1, 1}), 15));  // any strengths
  EXPECT_FALSE(made(two_levels(rng, table, {3, 0, 200}), 3));  // few bits
}

// Small tables are ranked as large ones are.
constexpr Memory far_away{.far_bytes = 0, .look_bytes = 0};

Query one_value_each(const Schema& schema) {
  Query query = empty_query(schema);
  for (auto& wanted : query.wanted) wanted = {ValueId{0}};
  return query;
}

bool has_bounds(const Index& index) {
  Query query = one_value_each(index.state().schema);
  QueryPlan plan(index.state(), query, weights_of(index.state().schema));
  return SegmentPlan(index.state().slots[0], plan).bounds() != nullptr;
}

TEST(FarAway, AnswersStayTheSameWithBounds) {
  std::uint32_t bounded = 0;
  for (std::uint64_t seed = 0; seed < some_of(16U); ++seed) {
    Rng rng(seed);
    Table table = random_table(rng, {2000 + static_cast<std::uint32_t>(rng.below(9000)), 3, 4});
    Profiles profiles = two_levels(rng, table, random_shape(rng));
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Served served(table, profiles, seed % 2 == 1, far_away);
    bounded += has_bounds(served.index) ? 1 : 0;
    expect_plain_answers(served, rng);
  }
  EXPECT_GE(bounded * 2, some_of(16U));
}

// Every row has level 6 or 9 of the last attribute's first value.
TEST(FarAway, AnswersStayTheSameWithBoundsWhereAllRowsHaveSomethingAlike) {
  for (std::uint64_t seed = 0; seed < some_of(6U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = random_table(rng, {4000, 3, 4});
    LevelProfiles strengths = two_levels(rng, table, {15, 3, 90});
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      strengths.set(RowId{row}, PrivateId{3}, ValueId{0}, rng.below(9) == 0 ? 9 : 6);
    }
    Profiles profiles = strengths;
    Served served(table, profiles, seed % 2 == 1, far_away);
    ASSERT_TRUE(has_bounds(served.index));
    const auto& state = served.index.state();
    Query query = one_value_each(state.schema);
    QueryPlan plan(state, query, weights_of(state.schema));
    SegmentPlan segment(state.slots[0], plan);
    ASSERT_TRUE(ScanPlan(segment, 5, no_floor).bounded());
    auto scores = plain::scores(public_part(table), profiles, query, weights_of(state.schema));
    for (const Hit& hit : served.index.rank(query, {.k = 5}).hits) {
      ASSERT_NEAR(static_cast<double>(hit.score) * plan.unit,
                  plain::to_double(scores[served.kept[+hit.row]]), 1e-9);
    }
    expect_plain_answers(served, rng);
  }
}

TEST(FarAway, AnswersStayTheSameWithBoundsAndAMainGroup) {
  std::uint32_t bounded = 0;
  for (std::uint64_t seed = 0; seed < some_of(12U); ++seed) {
    Rng rng(seed);
    Table table = random_table(rng, {2000 + static_cast<std::uint32_t>(rng.below(9000)), 3, 4});
    auto domains = table.schema().private_domain_sizes();
    GroupedProfiles profiles{seed % 3 == 0 ? Fraction{1, 2} : Fraction{1, 1},
                             two_levels(rng, table, {15, 3, 90}),
                             std::vector<std::uint32_t>(table.rows(), 0), GroupShares(2, domains)};
    profiles.shares.set_size(0, 7);
    profiles.shares.set_size(1, 5);
    profiles.shares.set_in_full(1);
    for (std::uint32_t j = 0; j < domains.size(); ++j) {
      profiles.shares.set_count(0, PrivateId{j}, ValueId{0}, 3);
      profiles.shares.set_count(1, PrivateId{j}, ValueId{1}, 2);
    }
    for (std::uint32_t row = 0; row < 100; ++row) {  // without signals, then
      profiles.group_of[row * 17] = 1;
      for (std::uint32_t j = 0; j < domains.size(); ++j) {
        for (std::uint32_t v = 0; v < domains[j]; ++v) {
          profiles.signals.set(RowId{row * 17}, PrivateId{j},
                               ValueId{static_cast<std::uint16_t>(v)}, 0);
        }
      }
    }
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Profiles kinds = profiles;
    Served served(table, kinds, seed % 2 == 1, far_away);
    bounded += has_bounds(served.index) ? 1 : 0;
    expect_plain_answers(served, rng);
  }
  EXPECT_GE(bounded * 2, some_of(12U));
}

// Where looking at single rows costs what it does, few rows are too few for bounds.
TEST(FarAway, BoundsAreLeftWhereTooManyRowsComeThrough) {
  Rng rng(5);
  Table table = random_table(rng, {9000, 3, 4});
  Profiles profiles = two_levels(rng, table, {15, 3, 200});
  Served served(table, profiles, false, far_away);
  ASSERT_TRUE(has_bounds(served.index));
  Served looks_cost(table, profiles, false, {.far_bytes = 0, .look_bytes = 1024});
  for (const Served* each : {&served, &looks_cost}) {
    const auto& state = each->index.state();
    Query query = one_value_each(state.schema);
    QueryPlan plan(state, query, weights_of(state.schema));
    SegmentPlan segment(state.slots[0], plan);
    ASSERT_NE(segment.bounds(), nullptr);
    EXPECT_EQ(ScanPlan(segment, 5, no_floor).bounded(), each == &served);
    expect_plain_answers(*each, rng);
  }
}

TEST(FarAway, BoundsAreMadeOnlyWhereQueriesReadMuch) {
  Rng rng(6);
  Table table = random_table(rng, {9000, 3, 4});
  Profiles profiles = two_levels(rng, table, {15, 3, 200});
  EXPECT_TRUE(Served(table, profiles, false, far_away).index.state().slots[0].segment->bounds);
  EXPECT_FALSE(Served(table, profiles, false).index.state().slots[0].segment->bounds);
}

TEST(FarAway, ASampleTellsHowManyRowsComeThrough) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Rng rng(seed);
    Table table = random_table(rng, {20'000, 3, 4});
    Profiles profiles = two_levels(rng, table, {15, 2, 200});
    Served served(table, profiles, false, far_away);
    ASSERT_TRUE(has_bounds(served.index));
    const auto& state = served.index.state();
    Query query = one_value_each(state.schema);
    QueryPlan plan(state, query, weights_of(state.schema));
    SegmentPlan segment(state.slots[0], plan);
    Summing sums = choose_sums(*segment.bounds(), kernels::largest_sum);
    Guess guess = guess_floor(segment, sums, 5);
    if (guess.likely == no_floor) continue;  // too vague for bounds
    std::uint64_t through = 0;
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      std::int64_t bound = segment.bounds()->score(row) + segment.bounds()->excess(row);
      through += bound >= guess.likely ? 1 : 0;
    }
    EXPECT_GT(guess.reaching * 3, through) << "seed " << seed;
    EXPECT_LT(guess.reaching, through * 3) << "seed " << seed;
    EXPECT_GE(through, 5U);
  }
}

// What an empty domain, and values that came later, leave in the books.
TEST(FarAway, BoundsMindEmptyDomainsAndLaterValues) {
  LevelProfiles profiles(1000, {0, 3, 2}, 15);
  for (std::uint32_t row = 0; row < 1000; ++row) {
    profiles.set(RowId{row}, PrivateId{1}, ValueId{static_cast<std::uint16_t>(row % 3)}, 9);
    profiles.set(RowId{row}, PrivateId{2}, ValueId{static_cast<std::uint16_t>(row % 2)}, 5);
  }
  auto bounds = StrengthBounds::of(planes_of(profiles), 1000, 15, 0);
  ASSERT_TRUE(bounds);
  EXPECT_EQ(bounds->domain_size(0), 0U);
  std::vector<ValueId> later = {ValueId{7}};
  std::vector<ValueId> second = {ValueId{1}};
  std::vector<Wish> wishes = {{0, &later, 16}, {1, &second, 16}, {2, &later, 16}};
  ASSERT_TRUE(BoundFeeds::fit(wishes, 0));
  BoundFeeds feeds({}, wishes, 0, *bounds);
  for (std::uint32_t row = 0; row < 1000; ++row) {
    EXPECT_EQ(feeds.score(row), row % 3 == 1 ? 9 * 16 : 0);
  }
}

}  // namespace
}  // namespace rankveil
