#include "rankveil/ranking/apart/exceptional_rows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/ranking/scan/far.h"
#include "rankveil/ranking/scan/query_plan.h"
#include "rankveil/ranking/scan/scan.h"
#include "rankveil/ranking/testing/expect_plain.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

// As equivalent sets have them: two values a row at 3 of 6 levels each; but one row in `rarity` has
// any strengths.
LevelProfiles nearly_alike(Rng& rng, const Table& table, std::uint32_t rarity) {
  LevelProfiles profiles(table.rows(), private_domain_sizes(table.schema()), 6);
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

// Nearly all rows are of one group. Of the others, every second is exceptional.
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

// Of those of the first value, which has so many bits.
std::ptrdiff_t planes_read_first(const StrengthWeights& weights, std::ptrdiff_t bits) {
  return std::count_if(weights.planes.begin(), weights.planes.begin() + bits,
                       [](std::uint8_t weight) { return weight > 0; });
}

const Segment& first_segment(const Index& index) { return *index.state().slots[0].segment; }

// Small tables have rows apart, too.
class RowsApart : public ::testing::Test {
 protected:
  RowsApart() {
    apart_bytes = 0;
    most_scored = 0;
  }
  ~RowsApart() override {
    apart_bytes = bytes_before_;
    most_scored = scored_before_;
  }

  static Table some_table(Rng& rng) {
    return random_table(rng, {4000 + static_cast<std::uint32_t>(rng.below(9000)), 3, 4});
  }

  // Asks until the index has its rows apart, if it will have any.
  static const ExceptionalRows* make_apart(const Index& index) {
    Query query = empty_query(index.schema());
    query.wanted[0] = {ValueId{0}};
    for (int i = 0; i < 20; ++i) index.rank(query, {.k = 1});
    return first_segment(index).exceptional_rows();
  }

 private:
  std::size_t bytes_before_ = apart_bytes;
  std::uint32_t scored_before_ = most_scored;
};

TEST_F(RowsApart, AreAllThatTheWeightsAreWrongFor) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = some_table(rng);
    LevelProfiles profiles = nearly_alike(rng, table, 100);
    Index index = Index::build(public_part(table), Profiles(profiles), {"test", 0, 10, {}});
    auto rows = ExceptionalRows::of(first_segment(index));
    ASSERT_NE(rows, nullptr);
    ASSERT_GT(rows->count(), 0U);
    ASSERT_LE(rows->count(), table.rows() / 64);
    std::uint32_t apart = 0;
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      if (rows->has(row)) {
        ASSERT_EQ(rows->row(apart++), row);
        continue;
      }
      for (std::uint32_t j = 0; j < 4; ++j) {
        const AttributePlanes& planes = first_segment(index).attributes[3 + j];
        for (std::uint32_t v = 0; v < planes.domain_size(); ++v) {
          const StrengthWeights& weights = rows->weights()[3 + j];
          std::uint32_t sum = weights.constants[v];
          for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
            std::uint32_t weight = weights.planes[v * planes.bits + bit];
            if (planes.plane(v, bit).test(row)) sum += weight;
          }
          ValueId value{static_cast<std::uint16_t>(v)};
          ASSERT_EQ(sum, profiles.strength(RowId{row}, PrivateId{j}, value)) << row;
        }
      }
    }
    EXPECT_EQ(apart, rows->count());
  }
}

TEST_F(RowsApart, LeaveOnePlaneToRead) {
  Rng rng(1);
  Table table = random_table(rng, {9000, 0, 1});
  Profiles profiles = nearly_alike(rng, table, 200);
  Index index = Index::build(public_part(table), profiles, {"test", 0, 10, {}});
  Query query = empty_query(index.schema());
  query.wanted[0] = {ValueId{0}};
  QueryPlan plan(index.state(), query, weights_of(index.schema()));
  ASSERT_NE(make_apart(index), nullptr);
  const SegmentSlot& slot = index.state().slots[0];
  EXPECT_EQ(SegmentPlan(slot, plan, Exceptions::Apart).feeds().size(), 1U);
  EXPECT_EQ(SegmentPlan(slot, plan, Exceptions::Included).feeds().size(), 3U);
}

TEST_F(RowsApart, AnswersStayTheSame) {
  for (std::uint64_t seed = 0; seed < some_of(16U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    most_scored = seed % 4 < 2 ? 0 : kernels::rows_per_line;
    Rng rng(seed);
    Table table = some_table(rng);
    Profiles profiles = nearly_alike(rng, table, 80 + static_cast<std::uint32_t>(rng.below(400)));
    Served served(table, profiles, seed % 2 == 1);
    ASSERT_NE(make_apart(served.index), nullptr);
    expect_plain_answers(served, rng);
  }
}

TEST_F(RowsApart, AnswersStayTheSameWithAMainGroup) {
  for (std::uint64_t seed = 0; seed < some_of(12U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    most_scored = seed % 4 < 2 ? 0 : kernels::rows_per_line;
    Rng rng(seed);
    Table table = some_table(rng);
    Profiles profiles = in_a_main_group(nearly_alike(rng, table, 150));
    Served served(table, profiles, seed % 2 == 1);
    ASSERT_TRUE(first_segment(served.index).main_run());
    ASSERT_NE(make_apart(served.index), nullptr);
    expect_plain_answers(served, rng);
  }
}

// Scores, ranks and batches go other ways than a single query.
TEST_F(RowsApart, AllWaysToAskAgree) {
  for (std::uint64_t seed = 0; seed < some_of(6U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = some_table(rng);
    Profiles profiles = nearly_alike(rng, table, 120);
    Served served(table, profiles, seed % 2 == 1);
    ASSERT_NE(make_apart(served.index), nullptr);
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
          ASSERT_EQ(+answers[i].hits[place].row, expected[place]) << "k " << k;
          ASSERT_EQ(scores.values[expected[place]], answers[i].hits[place].score);
          ASSERT_EQ(ranks[expected[place]], place + 1);
        }
      }
    }
  }
}

// Rows without and with exceptions tie, within a segment and across segments.
TEST_F(RowsApart, TiesGoByRowInAllSegments) {
  Rng rng(3);
  Table table = random_table(rng, {6000, 0, 2, 2, 0.0});
  LevelProfiles profiles(table.rows(), private_domain_sizes(table.schema()), 6);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    bool exceptional = row % 200 == 3;  // 2 + 4 instead of 3 + 3
    profiles.set(RowId{row}, PrivateId{0}, ValueId{0}, exceptional ? 2 : 3);
    profiles.set(RowId{row}, PrivateId{1}, ValueId{0}, exceptional ? 4 : 3);
  }
  Index index = Index::build(public_part(table), Profiles(profiles), {"test", 0, 10, {}});
  index = *index.append(public_part(table), Profiles(profiles));
  std::vector<RowId> gone = {RowId{0}, RowId{203}, RowId{6003}, RowId{6005}};
  index = index.erase(gone);
  Query query = empty_query(index.schema());
  query.wanted[0] = {ValueId{0}};
  query.wanted[1] = {ValueId{0}};
  ASSERT_NE(make_apart(index), nullptr);
  ASSERT_NE(index.state().slots[1].segment->exceptional_rows(), nullptr);
  std::vector<std::uint32_t> live;
  for (std::uint32_t row = 0; row < 12000; ++row) {
    if (std::find(gone.begin(), gone.end(), RowId{row}) == gone.end()) live.push_back(row);
  }
  for (std::uint32_t k : {1U, 3U, 4U, 250U, 6100U, 12000U}) {
    for (std::uint32_t threads : {1U, 3U}) {
      Answer answer = index.rank(query, {.k = k, .threads = threads});
      ASSERT_EQ(answer.hits.size(), std::min<std::size_t>(k, live.size()));
      for (std::size_t i = 0; i < answer.hits.size(); ++i) {
        ASSERT_EQ(+answer.hits[i].row, live[i]) << "k " << k;
      }
    }
  }
}

// An exceptional row that is best of all, and one that is below every guess.
TEST_F(RowsApart, MayBeTheBestAndTheWorst) {
  constexpr std::uint32_t rows = 20'000;
  Rng rng(4);
  Table table = random_table(rng, {rows, 0, 3, 2, 0.0});
  LevelProfiles profiles(rows, private_domain_sizes(table.schema()), 6);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t j = 0; j < 3; ++j) {
      std::uint32_t strength = row % 1000 == 7 ? 6 : row % 1000 == 8 ? 1 : row % 3 == 0 ? 3 : 0;
      profiles.set(RowId{row}, PrivateId{j}, ValueId{0}, strength);
    }
  }
  Profiles kinds = profiles;
  Served served(table, kinds, false);
  ASSERT_NE(make_apart(served.index), nullptr);
  EXPECT_EQ(first_segment(served.index).exceptional_rows()->count(), 40U);
  Query query = empty_query(table.schema());
  for (auto& wanted : query.wanted) wanted = {ValueId{0}};
  auto scores = plain::scores(public_part(table), kinds, query, weights_of(table.schema()));
  for (std::uint32_t k : {1U, 20U, 21U, 30U, 6700U, 6720U, rows}) {
    std::vector<std::uint32_t> found;
    for (const Hit& hit : served.index.rank(query, {.k = k}).hits) found.push_back(+hit.row);
    ASSERT_EQ(found, plain::top_k(scores, served.live, k)) << "k " << k;
  }
}

// The best rows are all in lines that a guess looks at, so it is too high. Rows that are ranked
// apart, and worse than all others, must not make up for those that are missing then.
class AGuessTooHigh : public RowsApart {
 protected:
  static constexpr std::uint32_t rows = 20'000;
  static constexpr std::uint32_t k = 100;

  // Eighty rows are better than others, all in lines that are sampled. Of the third attribute all
  // have the same.
  AGuessTooHigh() : strengths(rows, private_domain_sizes(table.schema()), 6) {
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
    SegmentPlan segment(index.state().slots[0], plan, Exceptions::Apart);
    ScanPlan scan(segment, k, no_floor, true);
    ASSERT_GT(scan.attempts(), 1U);
    auto first = scan.start(0);
    first->advance(0, lines_of(rows));
    ASSERT_LT(first->take().size(), k) << "the guess is not too high";
  }
};

TEST_F(AGuessTooHigh, IsNotMadeUpForByRowsApart) {
  for (std::uint32_t scored : {0U, kernels::rows_per_line}) {
    most_scored = scored;
    Index index = Index::build(public_part(table), Profiles(strengths), {"test", 0, 10, {}});
    ASSERT_NE(make_apart(index), nullptr);
    expect_plain_answer(strengths, index);
  }
}

// Before any rows are apart.
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
TEST_F(RowsApart, AreLeftOutWhereAllRowsAreScored) {
  Rng rng(9);
  Table table = random_table(rng, {5000, 0, 12, 40, 0.0});
  Profiles profiles = nearly_alike(rng, table, 200);
  Served served(table, profiles, true);
  ASSERT_NE(make_apart(served.index), nullptr);
  Query all = empty_query(table.schema());
  for (std::uint32_t i = 0; i < all.wanted.size(); ++i) {
    for (std::uint32_t v = 0; v < table.schema().attributes[i].domain.size(); ++v) {
      all.wanted[i].push_back(ValueId{static_cast<std::uint16_t>(v)});
    }
  }
  const auto& state = served.index.state();
  QueryPlan plan(state, all, weights_of(state.schema));
  ASSERT_GT(SegmentPlan(state.slots[0], plan, Exceptions::Apart).feeds().size(), 254U);
  for (const Query& query : {empty_query(table.schema()), all}) {
    auto scores = plain::scores(public_part(table), profiles, query, weights_of(table.schema()));
    for (std::uint32_t k : {1U, 100U, 5000U}) {
      std::vector<std::uint32_t> found;
      for (const Hit& hit : served.index.rank(query, {.k = k}).hits) found.push_back(+hit.row);
      ASSERT_EQ(found, plain::top_k(scores, served.live, k)) << "k " << k;
    }
  }
}

// Two attributes are nearly alike, the strengths of the others lie about two levels.
TEST_F(RowsApart, AnswersStayTheSameWithBoundsOfStrengths) {
  std::size_t far_before = far_bytes.exchange(0);
  std::size_t look_before = look_bytes.exchange(0);
  for (std::uint64_t seed = 0; seed < some_of(4U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = some_table(rng);
    LevelProfiles strengths(table.rows(), private_domain_sizes(table.schema()), 15);
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
    Served served(table, profiles, seed % 2 == 1);
    const auto& state = served.index.state();
    Query query = empty_query(state.schema);
    for (auto& wanted : query.wanted) wanted = {ValueId{0}};
    for (int i = 0; i < 600; ++i) served.index.rank(query, {.k = 1});
    QueryPlan plan(state, query, weights_of(state.schema));
    SegmentPlan segment(state.slots[0], plan, Exceptions::Apart);
    ASSERT_NE(segment.exceptional(), nullptr);
    ASSERT_TRUE(ScanPlan(segment, 5, no_floor, true).bounded());
    expect_plain_answers(served, rng);
  }
  far_bytes = far_before;
  look_bytes = look_before;
}

TEST_F(RowsApart, ThereAreNoneWhereTheyWouldBeTooMany) {
  Rng rng(5);
  Table table = random_table(rng, {6000, 1, 3});
  auto made = [&](std::uint32_t rarity) {
    Profiles profiles = nearly_alike(rng, table, rarity);
    Index index = Index::build(public_part(table), profiles, {"test", 0, 10, {}});
    return ExceptionalRows::of(first_segment(index));
  };
  EXPECT_NE(made(300), nullptr);
  EXPECT_EQ(made(3), nullptr);
  EXPECT_EQ(made(1'000'000), nullptr);  // there are no exceptions
}

// Of 6000 rows, so many are exceptions of the first attribute, and of the second.
LevelProfiles twelve_and_twenty(const Table& table) {
  LevelProfiles profiles(table.rows(), private_domain_sizes(table.schema()), 6);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    profiles.set(RowId{row}, PrivateId{0}, ValueId{0}, row % 500 == 1 ? 2 : 3);
    profiles.set(RowId{row}, PrivateId{1}, ValueId{0}, row % 300 == 2 ? 4 : 3);
  }
  return profiles;
}

// 93 may be apart. There is room for those of the second attribute beside those of the first, but
// not for the third's, whether or not it would take them alone.
TEST_F(RowsApart, AreOfTheValuesWithTheFewest) {
  for (std::uint32_t step : {70U, 20U}) {
    Rng rng(8);
    Table table = random_table(rng, {6000, 0, 3, 2, 0.0});
    LevelProfiles profiles = twelve_and_twenty(table);
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      profiles.set(RowId{row}, PrivateId{2}, ValueId{0}, row % step == 3 ? 2 : 3);
    }
    Profiles kinds = profiles;
    Served served(table, kinds, false);
    const ExceptionalRows* rows = make_apart(served.index);
    ASSERT_NE(rows, nullptr);
    EXPECT_EQ(rows->count(), 12U + 20U) << "step " << step;
    for (std::uint32_t j = 0; j < 3; ++j) {
      EXPECT_EQ(planes_read_first(rows->weights()[j], 3), j < 2 ? 0 : 1)
          << "step " << step << ", attribute " << j;
    }
    for (std::uint32_t scored : {0U, kernels::rows_per_line}) {
      most_scored = scored;
      expect_plain_answers(served, rng);
    }
    most_scored = 0;
  }
}

// Twenty rows of another group, without strengths: for the others, no plane is needed to tell that
// every row has one. They cost nothing, but are as good as none where nothing is saved.
TEST_F(RowsApart, AreAllOfOtherGroups) {
  apart_bytes = std::size_t{1} << 30;
  for (bool silent : {true, false}) {
    Rng rng(12);
    Table table = random_table(rng, {6000, 2, 2, 3, 0.0});
    LevelProfiles strengths(table.rows(), private_domain_sizes(table.schema()), 15);
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      bool other = row >= 5 && row < 1000 && row % 50 == 5;  // as in_a_main_group has them
      if (other && silent) continue;
      for (std::uint32_t j = 0; j < 2; ++j) {
        strengths.set(RowId{row}, PrivateId{j}, ValueId{0}, rng.below(2) == 0 ? 3 : 8);
      }
    }
    LevelProfiles kept = strengths;
    GroupedProfiles grouped = in_a_main_group(std::move(strengths));
    grouped.signals = kept;
    Profiles profiles = grouped;
    Served served(table, profiles, false);
    most_scored = kernels::rows_per_line;
    const ExceptionalRows* rows = make_apart(served.index);
    ASSERT_EQ(rows != nullptr, silent);
    if (silent) {
      EXPECT_EQ(rows->count(), 20U);
      const StrengthWeights& weights = rows->weights()[2];
      EXPECT_EQ(weights.constants[0], 3);
      EXPECT_EQ(planes_read_first(weights, 4), 1);
    }
    expect_plain_answers(served, rng);
  }
}

// The twelve of one attribute are scored one by one. With those of the other they would have to be
// scanned, which costs more than both save.
TEST_F(RowsApart, AreNoMoreThanPay) {
  Rng rng(13);
  Table table = random_table(rng, {6000, 0, 2, 2, 0.0});
  LevelProfiles profiles = twelve_and_twenty(table);
  Index index = Index::build(public_part(table), Profiles(profiles), {"test", 0, 10, {}});
  auto made = [&] { return ExceptionalRows::of(first_segment(index)); };
  EXPECT_EQ(made()->count(), 12U + 20U);
  most_scored = 25;
  apart_bytes = 2000;  // each attribute saves a plane of 750 bytes
  ASSERT_NE(made(), nullptr);
  EXPECT_EQ(made()->count(), 12U);
  most_scored = 11;
  EXPECT_EQ(made(), nullptr);
}

TEST_F(RowsApart, ThereAreNoneWhereTheyDoNotPay) {
  Rng rng(6);
  Table table = random_table(rng, {6000, 1, 3});
  Profiles profiles = nearly_alike(rng, table, 300);
  Index index = Index::build(public_part(table), profiles, {"test", 0, 10, {}});
  EXPECT_NE(ExceptionalRows::of(first_segment(index)), nullptr);
  apart_bytes = 3 * 2 * 6000 / 8;  // two planes less for each of three attributes, at most
  EXPECT_EQ(ExceptionalRows::of(first_segment(index)), nullptr);
}

// Two planes of three are saved, of six, and of forty-three.
TEST_F(RowsApart, ThereAreNoneWhereTheySaveLittle) {
  auto made = [](std::uint32_t publics) {
    Rng rng(11);
    Table table = random_table(rng, {6000, publics, 1});
    Profiles profiles = nearly_alike(rng, table, 300);
    Index index = Index::build(public_part(table), profiles, {"test", 0, 10, {}});
    return ExceptionalRows::of(first_segment(index));
  };
  EXPECT_NE(made(0), nullptr);
  EXPECT_NE(made(3), nullptr);
  EXPECT_EQ(made(40), nullptr);
}

TEST_F(RowsApart, ThereAreNoneAmongManyGroups) {
  Rng rng(7);
  Table table = random_table(rng, {6000, 1, 3});
  GroupedProfiles grouped = in_a_main_group(nearly_alike(rng, table, 300));
  for (std::uint32_t row = 3000; row < 6000; ++row) grouped.group_of[row] = 1;
  Index index = Index::build(public_part(table), Profiles(grouped), {"test", 0, 10, {}});
  EXPECT_EQ(ExceptionalRows::of(first_segment(index)), nullptr);
}

}  // namespace
}  // namespace rankveil
