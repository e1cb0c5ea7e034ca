#include "rankveil/utility/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/ranking/testing/plain_ranking.h"
#include "rankveil/ranking/testing/random_tables.h"

namespace rankveil::utility {
namespace {

using testing_support::RandomShape;
using testing_support::WeightKind;

// The measures once more, written from their definitions: every place is found by counting, every
// list by sorting, nothing is shared with what is tested.
namespace by_definition {

struct Person {
  plain::ExactScore truth, served;
  std::uint32_t truth_order, served_order;  // place in the row order, for ties
};

using People = std::vector<Person>;

bool better(const plain::ExactScore& a, std::uint32_t a_order, const plain::ExactScore& b,
            std::uint32_t b_order, RankKind kind) {
  if (plain::is_higher(a, b)) return true;
  return kind == RankKind::Ordinal && !plain::is_higher(b, a) && a_order < b_order;
}

std::uint32_t true_rank(const People& people, const Person& person, RankKind kind) {
  std::uint32_t rank = 1;
  for (const Person& p : people) {
    rank += better(p.truth, p.truth_order, person.truth, person.truth_order, kind) ? 1 : 0;
  }
  return rank;
}

std::uint32_t served_rank(const People& people, const Person& person, RankKind kind) {
  std::uint32_t rank = 1;
  for (const Person& p : people) {
    rank += better(p.served, p.served_order, person.served, person.served_order, kind) ? 1 : 0;
  }
  return rank;
}

double rank_loss(const People& people, RankKind kind) {
  double loss = 0;
  for (const Person& p : people) {
    loss += std::abs(double(true_rank(people, p, kind)) - double(served_rank(people, p, kind)));
  }
  return loss;
}

double score_loss(const People& people) {
  double loss = 0;
  for (const Person& p : people) {
    loss += std::abs(plain::to_double(p.truth) - plain::to_double(p.served));
  }
  return loss;
}

double aul(const People& people, double k, RankKind kind) {
  double sum = 0;
  double members = 0;
  for (const Person& p : people) {
    double rank = true_rank(people, p, kind);
    double rank_served = served_rank(people, p, kind);
    if (rank > k && rank_served > k) continue;
    sum += std::abs(std::min(rank, k + 1) - std::min(rank_served, k + 1)) / k;
    ++members;
  }
  return members == 0 ? 0 : sum / members;
}

// Positions in `people`, best first.
std::vector<std::size_t> top(const People& people, std::size_t k, bool of_truth) {
  std::vector<std::size_t> list;
  for (std::uint32_t rank = 1; rank <= std::min(k, people.size()); ++rank) {
    for (std::size_t i = 0; i < people.size(); ++i) {
      auto found = of_truth ? true_rank(people, people[i], RankKind::Ordinal)
                            : served_rank(people, people[i], RankKind::Ordinal);
      if (found == rank) list.push_back(i);
    }
  }
  return list;
}

double gain(const People& people, const std::vector<std::size_t>& list) {
  double sum = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    sum += plain::to_double(people[list[i]].truth) / std::log2(2.0 + static_cast<double>(i));
  }
  return sum;
}

int sign(const plain::ExactScore& a, const plain::ExactScore& b) {
  return plain::is_higher(a, b) ? 1 : plain::is_higher(b, a) ? -1 : 0;
}

double tau_b(const People& people, const std::set<std::size_t>& members) {
  double balance = 0;
  double in_truth = 0;
  double in_served = 0;
  for (std::size_t i : members) {
    for (std::size_t j : members) {
      int truth = sign(people[i].truth, people[j].truth);
      int served = sign(people[i].served, people[j].served);
      balance += truth * served;
      in_truth += truth * truth;
      in_served += served * served;
    }
  }
  if (in_truth == 0 || in_served == 0) return in_truth == in_served ? 1 : 0;
  return balance / std::sqrt(in_truth * in_served);
}

QueryUtilityAt at(const People& people, std::uint32_t k, RankKind kind) {
  auto truth = top(people, k, true);
  auto served = top(people, k, false);
  if (truth.empty()) return {};
  std::set<std::size_t> members(truth.begin(), truth.end());
  double both = 0;
  double fairly = 0;
  for (std::size_t i : served) {
    both += members.count(i) != 0 ? 1 : 0;
    fairly += plain::is_higher(people[truth.back()].truth, people[i].truth) ? 0 : 1;
  }
  auto length = static_cast<double>(served.size());
  members.insert(served.begin(), served.end());
  double best = gain(people, truth);
  return {.aul = aul(people, k, kind),
          .overlap = both / length,
          .fair = fairly / length,
          .ndcg = best == 0 ? 1 : gain(people, served) / best,
          .tau_b = tau_b(people, members)};
}

}  // namespace by_definition

// A table in which some rows count for nothing, because its index has them deleted.
struct Rows {
  Table table;
  Profiles profiles;
  std::vector<RowId> deleted;

  Index index() const { return Index::build(public_part(table), profiles, {}).erase(deleted); }
};

// `names` for the rows; the values of those known to `values`, random ones for others.
Table arranged(const Table& values, const std::vector<std::int64_t>& names, Rng& rng) {
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < values.schema().size(); ++i) {
    std::uint32_t domain = values.schema().attributes[i].domain.size();
    std::vector<ValueId> cells;
    for (std::int64_t name : names) {
      bool known = name < values.rows();
      RowId row{static_cast<std::uint32_t>(name)};
      cells.push_back(known ? values.value(row, AttributeId{i})
                            : testing_support::skewed_value(rng, domain));
    }
    columns.emplace_back(domain, cells);
  }
  return {values.schema(), columns, RowNames(IntegerNames{names})};
}

std::vector<RowId> strangers(const std::vector<std::int64_t>& names, std::uint32_t known) {
  std::vector<RowId> rows;
  for (std::uint32_t row = 0; row < names.size(); ++row) {
    if (names[row] >= known) rows.push_back(RowId{row});
  }
  return rows;
}

std::vector<std::int64_t> some_names(Rng& rng, std::uint32_t known, bool shuffled) {
  std::vector<std::int64_t> names;
  std::uint64_t extra = shuffled ? rng.below(4) : 0;
  for (std::uint32_t i = 0; i < known + extra; ++i) names.push_back(i);
  if (shuffled) {
    for (std::size_t i = names.size(); i > 1; --i) std::swap(names[i - 1], names[rng.below(i)]);
  }
  return names;
}

Profiles random_profiles(Rng& rng, const Table& table) {
  switch (rng.below(4)) {
    case 0:
      return unprotected_profiles(table);
    case 1:
      return testing_support::random_levels(rng, table, 1);
    case 2:
      return testing_support::random_levels(rng, table, 1 + std::uint32_t(rng.below(5)));
    default:
      return testing_support::random_grouped(rng, table, 1 + std::uint32_t(rng.below(4)), {1, 2});
  }
}

struct Case {
  Rows truth, served;
  Workload workload;
  Weights weights;
  MeasureOptions options;
};

Workload random_workload(Rng& rng, const Schema& schema) {
  Workload workload;
  for (std::uint64_t i = 1 + rng.below(4); i-- > 0;) {
    workload.entries.push_back({testing_support::random_query(rng, schema), 1 + rng.below(5)});
  }
  return workload;
}

Case random_case(std::uint64_t seed) {
  Rng rng(seed);
  RandomShape shape{
      .rows = static_cast<std::uint32_t>(rng.below(4) == 0 ? rng.below(3) : rng.below(24)),
      .publics = static_cast<std::uint32_t>(rng.below(3)),
      .privates = 1 + static_cast<std::uint32_t>(rng.below(3))};
  Table table = testing_support::random_table(rng, shape);
  bool shuffled = rng.below(2) == 0;
  auto truth_names = some_names(rng, shape.rows, shuffled);
  auto served_names = some_names(rng, shape.rows, shuffled);
  Table truth = arranged(table, truth_names, rng);
  Table served = arranged(table, served_names, rng);
  auto kind = std::array{WeightKind::Unit, WeightKind::Integer, WeightKind::Real}[rng.below(3)];
  Case result{{truth, unprotected_profiles(truth), strangers(truth_names, shape.rows)},
              {served, random_profiles(rng, served), strangers(served_names, shape.rows)},
              random_workload(rng, table.schema()),
              testing_support::random_weights(rng, table.schema(), kind),
              {}};
  result.options.ks = {1 + static_cast<std::uint32_t>(rng.below(5)),
                       1 + static_cast<std::uint32_t>(rng.below(40))};
  result.options.ranks = rng.below(2) == 0 ? RankKind::Ordinal : RankKind::Competition;
  result.options.threads = 1;
  return result;
}

by_definition::People people_of(const Case& c, const Query& query) {
  const Rows& t = c.truth;
  const Rows& s = c.served;
  auto truth = plain::scores(public_part(t.table), t.profiles, query, c.weights);
  auto served = plain::scores(public_part(s.table), s.profiles, query, c.weights);
  std::map<std::string, std::uint32_t> served_rows;
  for (std::uint32_t row = 0; row < s.table.rows(); ++row) {
    bool gone = std::count(s.deleted.begin(), s.deleted.end(), RowId{row}) != 0;
    if (!gone) served_rows[s.table.names().text(RowId{row})] = row;
  }
  by_definition::People people;
  for (std::uint32_t row = 0; row < t.table.rows(); ++row) {
    if (std::count(t.deleted.begin(), t.deleted.end(), RowId{row}) != 0) continue;
    std::uint32_t there = served_rows.at(t.table.names().text(RowId{row}));
    people.push_back({truth[row], served[there], row, there});
  }
  return people;
}

void expect_near(const QueryUtilityAt& found, const QueryUtilityAt& expected) {
  EXPECT_NEAR(found.aul, expected.aul, 1e-9);
  EXPECT_NEAR(found.overlap, expected.overlap, 1e-12);
  EXPECT_NEAR(found.fair, expected.fair, 1e-12);
  EXPECT_NEAR(found.ndcg, expected.ndcg, 1e-9);
  EXPECT_NEAR(found.tau_b, expected.tau_b, 1e-9);
}

TEST(Measure, AgreesWithTheDefinitionsOnRandomTables) {
  for (std::uint64_t seed = 0; seed < some_of(4000U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case c = random_case(seed);
    c.options.weights = &c.weights;
    auto found = measure(c.truth.index(), c.served.index(), c.workload, c.options);
    ASSERT_TRUE(found) << found.error().message;
    double total_rank_loss = 0;
    double fair_sum = 0;
    double asked = 0;
    for (std::size_t q = 0; q < c.workload.entries.size(); ++q) {
      const auto& [query, count] = c.workload.entries[q];
      auto people = people_of(c, query);
      const QueryUtility& got = found->per_query[q];
      double rank_loss = by_definition::rank_loss(people, c.options.ranks);
      EXPECT_EQ(static_cast<double>(got.rank_loss), rank_loss);
      EXPECT_NEAR(got.score_loss, by_definition::score_loss(people), 1e-8);
      for (std::size_t i = 0; i < c.options.ks.size(); ++i) {
        auto expected = by_definition::at(people, c.options.ks[i], c.options.ranks);
        expect_near(got.at[i], expected);
        if (i == 0) fair_sum += static_cast<double>(count) * expected.fair;
      }
      total_rank_loss += static_cast<double>(count) * rank_loss;
      asked += static_cast<double>(count);
    }
    EXPECT_EQ(found->total_rank_loss, total_rank_loss);
    EXPECT_NEAR(found->rank_loss.mean, total_rank_loss / asked, 1e-9);
    EXPECT_NEAR(found->at[0].fair.mean, fair_sum / asked, 1e-9);
    if (HasFailure()) return;
  }
}

// Five people with a public city and a private religion; all weights 1.
//
//   row  city   religion  shown set      q = Paris, none: true, served
//   0    Paris  none      none                 2    2
//   1    Paris  other     none, other          1    2
//   2    Rome   none      none, other          1    1
//   3    Rome   other     none, other          0    1
//   4    Paris  none      other                2    1
struct Example {
  Table table;
  Profiles profiles;
  Query query;
};

Example five_people() {
  Schema schema;
  schema.attributes = {{"city", Visibility::Public, 1, *Domain::of({"Paris", "Rome"})},
                       {"religion", Visibility::Private, 1, *Domain::of({"none", "other"})}};
  ValueId first{0};
  ValueId second{1};
  Table table(schema,
              {Column(2, std::vector{first, first, second, second, first}),
               Column(2, std::vector{first, second, first, second, first})},
              RowNames(RowNumbers{5}));
  LevelProfiles sets(5, {2}, 1);
  for (std::uint32_t row : {0, 1, 2, 3}) sets.set(RowId{row}, PrivateId{0}, first);
  for (std::uint32_t row : {1, 2, 3, 4}) sets.set(RowId{row}, PrivateId{0}, second);
  return {table, sets, Query{{{first}, {first}}}};
}

QueryUtility measure_five_people(std::uint32_t k, RankKind kind) {
  Example example = five_people();
  Index served = Index::build(public_part(example.table), example.profiles, {});
  auto found = measure(true_ranking(example.table), served, Workload{{{example.query, 1}}},
                       {.ks = {k}, .ranks = kind});
  EXPECT_TRUE(found);
  return found->per_query.at(0);
}

// True order 0 4 1 2 3, served order 0 1 2 3 4.
TEST(Measure, GivesTheHandComputedValuesForOrdinalRanks) {
  auto found = measure_five_people(2, RankKind::Ordinal);
  EXPECT_EQ(found.rank_loss, 0U + 1 + 1 + 1 + 3);
  EXPECT_DOUBLE_EQ(found.score_loss, 0 + 1 + 0 + 1 + 1);
  // D' = {0, 4, 1}: |1-1|, |2-3|, |3-2|; over 3 rows and k = 2.
  EXPECT_DOUBLE_EQ(found.at[0].aul, 2.0 / 6);
  EXPECT_DOUBLE_EQ(found.at[0].overlap, 0.5);
  EXPECT_DOUBLE_EQ(found.at[0].fair, 0.5);
  EXPECT_DOUBLE_EQ(found.at[0].ndcg, (2 + 1 / std::log2(3)) / (2 + 2 / std::log2(3)));
  // Union {0, 4, 1}: true 2 2 1, served 2 1 2: (0,4) and (0,1) tie on a side, (4,1) is discordant.
  EXPECT_DOUBLE_EQ(found.at[0].tau_b, -0.5);
}

// True ranks 1 3 3 5 1, served ranks 1 1 3 3 3.
TEST(Measure, GivesTheHandComputedValuesForCompetitionRanks) {
  auto found = measure_five_people(2, RankKind::Competition);
  EXPECT_EQ(found.rank_loss, 0U + 2 + 0 + 2 + 2);
  // D' = {0, 1, 4}: |1-1|, |3-1|, |1-3|.
  EXPECT_DOUBLE_EQ(found.at[0].aul, 4.0 / 6);
  EXPECT_DOUBLE_EQ(found.at[0].overlap, 0.5);
}

TEST(Measure, FindsNothingLostWithoutProtection) {
  Rng rng(5);
  Table table = testing_support::random_table(rng, {.rows = 300, .publics = 3, .privates = 3});
  Index truth = true_ranking(table);
  auto found = measure(truth, truth, random_workload(rng, table.schema()));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->total_rank_loss, 0);
  EXPECT_EQ(found->total_score_loss, 0);
  for (const UtilityAt& at : found->at) {
    EXPECT_EQ(at.aul.mean, 0);
    for (const Estimate& best : {at.overlap, at.fair, at.ndcg, at.tau_b}) EXPECT_EQ(best.mean, 1);
  }
}

Workload many_queries(Rng& rng, const Schema& schema) {
  Workload workload;
  for (int i = 0; i < 60; ++i) {
    workload.entries.push_back({testing_support::random_query(rng, schema), 1 + rng.below(9)});
  }
  return workload;
}

TEST(Measure, DoesNotDependOnThreads) {
  Rng rng(6);
  Table table = testing_support::random_table(rng, {.rows = 700, .publics = 3, .privates = 3});
  Index served =
      Index::build(public_part(table), testing_support::random_levels(rng, table, 3), {});
  Workload workload = many_queries(rng, table.schema());
  Index truth = true_ranking(table);
  auto one = measure(truth, served, workload, {.threads = 1});
  auto four = measure(truth, served, workload, {.threads = 4});
  ASSERT_TRUE(one && four);
  EXPECT_EQ(one->total_score_loss, four->total_score_loss);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(one->at[i].aul.mean, four->at[i].aul.mean);
    EXPECT_EQ(one->at[i].ndcg.margin, four->at[i].ndcg.margin);
  }
  for (std::size_t q = 0; q < workload.entries.size(); ++q) {
    EXPECT_EQ(one->per_query[q].score_loss, four->per_query[q].score_loss);
    EXPECT_EQ(one->per_query[q].at[1].tau_b, four->per_query[q].at[1].tau_b);
  }
}

TEST(Measure, TellsHowFarItIs) {
  Example example = five_people();
  Index truth = true_ranking(example.table);
  Workload workload;
  workload.entries.assign(10, {example.query, 1});
  std::vector<double> told;
  auto progress = [&](std::string_view, double done) { told.push_back(done); };
  ASSERT_TRUE(measure(truth, truth, workload, {.progress = progress}));
  ASSERT_EQ(told.size(), 10U);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), 1);
}

TEST(Measure, RefusesWhatCannotBeCompared) {
  Example example = five_people();
  Index truth = true_ranking(example.table);
  Workload workload{{{example.query, 1}}};
  EXPECT_FALSE(measure(truth, truth, workload, {.ks = {10, 0}}));
  EXPECT_FALSE(measure(truth, truth, Workload{}));
  EXPECT_FALSE(measure(truth, truth.erase(std::vector{RowId{2}}), workload));
  Schema heavy = example.table.schema();
  heavy.attributes[0].weight = 2;
  Table other(heavy, {example.table.column(AttributeId{0}), example.table.column(AttributeId{1})},
              example.table.names());
  EXPECT_FALSE(measure(truth, true_ranking(other), workload));
  Weights weights{{1, 1}, 1};
  EXPECT_TRUE(measure(truth, true_ranking(other), workload, {.weights = &weights}));
}

}  // namespace
}  // namespace rankveil::utility
