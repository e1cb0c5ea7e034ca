#include "rankveil/protect/esvt/esvt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/esvt/virtual_tuple.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil {
namespace {

using testing_support::coded_table;
using testing_support::OwnTask;
using testing_support::random_workload;

// ---- A plain implementation from the specification: every tuple is tried. ----

using Values = std::vector<int>;  // per private attribute; -1: missing
using Allowed = std::vector<std::vector<int>>;

struct PlainProblem {
  const Schema& schema;
  const Workload& workload;

  double weight(std::size_t j) const { return schema.attributes[schema.public_count() + j].weight; }

  double score(const Query& query, const Values& values) const {
    double sum = 0;
    for (std::size_t j = 0; j < values.size(); ++j) {
      for (ValueId wanted : query.wanted[schema.public_count() + j]) {
        if (values[j] >= 0 && +wanted == static_cast<unsigned>(values[j])) sum += weight(j);
      }
    }
    return sum;
  }

  double objective(const Values& own, const Values& other) const {
    double sum = 0;
    for (const WorkloadEntry& entry : workload.entries) {
      double difference = score(entry.query, own) - score(entry.query, other);
      sum += static_cast<double>(entry.count) * difference * difference;
    }
    return sum;
  }

  double least(const Values& own, const Allowed& allowed, std::size_t j, Values& chosen) const {
    if (j == allowed.size()) return objective(own, chosen);
    double best = 1e300;
    for (int value : allowed[j]) {
      chosen[j] = value;
      best = std::min(best, least(own, allowed, j + 1, chosen));
    }
    return best;
  }
  double least(const Values& own, const Allowed& allowed) const {
    Values chosen(own.size());
    return least(own, allowed, 0, chosen);
  }
};

Values own_values(const Table& table, std::uint32_t row) {
  Values values;
  for (std::uint32_t i = table.schema().public_count(); i < table.schema().size(); ++i) {
    ValueId value = table.value(RowId{row}, AttributeId{i});
    values.push_back(value == missing_value ? -1 : static_cast<int>(+value));
  }
  return values;
}

Allowed all_but(const Schema& schema, const Values& own) {
  Allowed allowed;
  for (std::size_t j = 0; j < own.size(); ++j) {
    auto& values = allowed.emplace_back();
    auto domain = static_cast<int>(schema.attributes[schema.public_count() + j].domain.size());
    for (int v = 0; v < domain; ++v) {
      if (v != own[j]) values.push_back(v);
    }
  }
  return allowed;
}

// Values of the row's set other than its own, per attribute.
Allowed others_in_set(const Profiles& profiles, const Table& table, std::uint32_t row,
                      const Values& own) {
  Allowed others = all_but(table.schema(), own);
  for (std::uint32_t j = 0; j < others.size(); ++j) {
    std::erase_if(others[j], [&](int value) {
      return profiles.match(RowId{row}, PrivateId{j}, ValueId{static_cast<std::uint16_t>(value)}) ==
             0;
    });
  }
  return others;
}

bool same(double left, double right) { return std::abs(left - right) < 1e-6 * (1 + left); }

// Whether the set's values can be dealt to virtual tuples such that each is the best that the ones
// before it leave.
bool is_made_of_best(const PlainProblem& problem, const Values& own, const Allowed& free,
                     const Allowed& rest) {
  if (rest.empty() || rest[0].empty()) return true;
  double best = problem.least(own, free);
  Values chosen(own.size());
  std::function<bool(std::size_t)> deal = [&](std::size_t j) {
    if (j == own.size()) {
      if (!same(best, problem.objective(own, chosen))) return false;
      Allowed less_free = free;
      Allowed less_rest = rest;
      for (std::size_t i = 0; i < own.size(); ++i) {
        std::erase(less_free[i], chosen[i]);
        std::erase(less_rest[i], chosen[i]);
      }
      return is_made_of_best(problem, own, less_free, less_rest);
    }
    for (int value : rest[j]) {
      chosen[j] = value;
      if (deal(j + 1)) return true;
    }
    return false;
  };
  return deal(0);
}

double random_weight(Rng& rng, std::uint64_t kind) {
  if (kind == 0) return 1;
  if (kind == 1) return 1 + static_cast<double>(rng.below(5));
  if (kind == 2) return static_cast<double>(1 + rng.below(400)) / 100;
  return static_cast<double>(1 + rng.below(40'000'000)) / 1e6;
}

OwnTask random_task(Rng& rng, std::uint32_t privates, std::uint32_t l, std::uint32_t largest) {
  Schema schema = testing_support::random_schema(
      rng, {.rows = 0, .publics = 1, .privates = privates, .largest_domain = 2});
  std::uint64_t kind = rng.below(4);
  std::vector<Column> columns;
  auto rows = static_cast<std::uint32_t>(1 + rng.below(6));
  for (Attribute& attribute : schema.attributes) {
    auto size = l + static_cast<std::uint32_t>(rng.below(largest - l + 1));
    attribute.domain = testing_support::numbered_domain(size);
    attribute.weight = random_weight(rng, kind);
    columns.push_back(testing_support::random_column(rng, rows, size, 0.1));
  }
  OwnTask own{Table(std::move(schema), std::move(columns), RowNames(RowNumbers{rows}))};
  own.demand.l = l;
  own.workload = random_workload(rng, own.table.schema(), static_cast<std::uint32_t>(rng.below(9)));
  if (rng.below(4) == 0 && !own.workload.entries.empty()) own.workload.entries[0].count = 100'000;
  return own;
}

void expect_best_sets(const OwnTask& own, const Protection& made) {
  PlainProblem problem{own.table.schema(), own.workload};
  for (std::uint32_t row = 0; row < own.table.rows(); ++row) {
    Values values = own_values(own.table, row);
    Allowed others = others_in_set(made.profiles, own.table, row, values);
    for (std::uint32_t j = 0; j < values.size(); ++j) {
      ASSERT_EQ(others[j].size(), own.demand.l - 1);
      for (int value : others[j]) {
        ValueId id{static_cast<std::uint16_t>(value)};
        ASSERT_DOUBLE_EQ(made.profiles.match(RowId{row}, PrivateId{j}, id), 1.0 / own.demand.l);
      }
      if (values[j] < 0) continue;
      ValueId id{static_cast<std::uint16_t>(values[j])};
      ASSERT_DOUBLE_EQ(made.profiles.match(RowId{row}, PrivateId{j}, id), 1.0 / own.demand.l);
    }
    ASSERT_TRUE(is_made_of_best(problem, values, all_but(own.table.schema(), values), others));
  }
}

TEST(Esvt, IsAsGoodAsTryingEveryTuple) {
  for (std::uint64_t seed = 0; seed < some_of(3000U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto l = static_cast<std::uint32_t>(2 + rng.below(3));
    auto privates = static_cast<std::uint32_t>(1 + rng.below(l == 2 ? 5 : 3));
    OwnTask own = random_task(rng, privates, l, l == 2 ? 5 : 6);
    auto made = protect_esvt(own.task());
    ASSERT_TRUE(made);
    EXPECT_EQ(made->report.solved, own.table.rows());
    EXPECT_EQ(made->report.proven, own.table.rows());
    EXPECT_EQ(made->report.set_sizes[l], own.table.rows());
    expect_best_sets(own, *made);
    if (HasFatalFailure()) return;
  }
}

// ---- Larger problems, against plain coordinate moves and between instruction sets. ----

struct Found {
  std::vector<std::uint16_t> classes;
  std::vector<std::uint8_t> proven;

  bool operator==(const Found&) const = default;
};

Found find(const QueryView& view, const TupleFinderOptions& options,
           const std::vector<std::uint16_t>& own) {
  auto finder = TupleFinder::make(view, options);
  EXPECT_TRUE(finder);
  std::size_t tuples = own.size() / view.attributes.size();
  Found found{std::vector<std::uint16_t>(own.size() * (options.l - 1)),
              std::vector<std::uint8_t>(tuples)};
  (*finder)->find(own, found.classes, found.proven);
  return found;
}

std::vector<std::uint16_t> random_tuples(Rng& rng, const QueryView& view, std::size_t count) {
  std::vector<std::uint16_t> own;
  for (std::size_t i = 0; i < count; ++i) {
    for (const AttributeView& attribute : view.attributes) {
      own.push_back(rng.below(20) == 0
                        ? TupleFinder::no_class
                        : static_cast<std::uint16_t>(rng.below(attribute.values.size())));
    }
  }
  return own;
}

TEST(TupleFinder, AnswersAlikeOnEveryInstructionSet) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    OwnTask own = random_task(rng, 6 + static_cast<std::uint32_t>(rng.below(3)), 3, 9);
    own.workload = random_workload(rng, own.table.schema(), 10);
    QueryView view = view_queries(own.table.schema(), own.workload);
    auto tuples = random_tuples(rng, view, 20);
    Found plain = find(view, {.l = 3}, tuples);
    EXPECT_EQ(std::count(plain.proven.begin(), plain.proven.end(), 1), 20);
    for (Isa isa : supported_isas()) {
      EXPECT_EQ(find(view, {.l = 3, .isa = isa}, tuples), plain) << isa_name(isa);
    }
  }
}

TEST(TupleFinder, GivesUpWithAnAnswerWhenNodesRunOut) {
  Rng rng(5);
  OwnTask own = random_task(rng, 12, 2, 12);
  own.workload = random_workload(rng, own.table.schema(), 30);
  QueryView view = view_queries(own.table.schema(), own.workload);
  auto tuples = random_tuples(rng, view, 20);
  Found found = find(view, {.l = 2, .node_budget = 5}, tuples);
  EXPECT_LT(std::count(found.proven.begin(), found.proven.end(), 1), 20);
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    std::size_t j = i % view.attributes.size();
    ASSERT_LT(found.classes[i], view.attributes[j].values.size());
    if (view.attributes[j].values[found.classes[i]].size() == 1) {
      EXPECT_NE(found.classes[i], tuples[i]);
    }
  }
}

TEST(TupleFinder, TakesTwentyAttributesAndAHundredQueries) {
  Rng rng(6);
  OwnTask own = random_task(rng, 20, 2, 60);
  own.workload = random_workload(rng, own.table.schema(), 100);
  QueryView view = view_queries(own.table.schema(), own.workload);
  auto tuples = random_tuples(rng, view, 4);
  Found found = find(view, {.l = 2, .node_budget = 2000, .isa = supported_isas().back()}, tuples);
  EXPECT_EQ(found.classes.size(), tuples.size());
}

TEST(TupleFinder, RefusesCountsThatNoNumberHolds) {
  Rng rng(7);
  OwnTask own = random_task(rng, 2, 2, 3);
  for (std::uint32_t i = 1; i < 3; ++i) own.workload.entries.clear();
  Schema schema = own.table.schema();
  schema.attributes[1].weight = 9000.000001;
  schema.attributes[2].weight = 1;
  Query query = empty_query(schema);
  query.wanted[1] = {ValueId{0}};
  own.workload.entries = {{query, ~std::uint64_t{0}}, {empty_query(schema), 1}};
  own.workload.entries[1].query.wanted[2] = {ValueId{0}};
  EXPECT_FALSE(TupleFinder::make(view_queries(schema, own.workload), {}));
}

TEST(Esvt, KeepsARowsSetWhenOtherRowsComeAndGo) {
  std::vector<std::vector<int>> rows = {{0, 1}, {0, 2}, {0, 3}, {0, 1}};
  OwnTask all{coded_table(rows, 1, {1, 40})};
  OwnTask some{coded_table({rows[0], rows[1]}, 1, {1, 40})};
  all.demand.l = some.demand.l = 2;
  auto more = protect_esvt(all.task());
  auto fewer = protect_esvt(some.task());
  for (std::uint32_t row = 0; row < 2; ++row) {
    EXPECT_EQ(testing_support::profile_of(more->profiles, RowId{row}, PrivateId{0}, 40),
              testing_support::profile_of(fewer->profiles, RowId{row}, PrivateId{0}, 40));
  }
}

TEST(Esvt, TakesUnaskedValuesByTheKey) {
  std::vector<std::vector<int>> rows(400, std::vector<int>{0, 1});
  OwnTask own{coded_table(rows, 1, {1, 5})};
  own.demand.l = 2;
  auto made = protect_esvt(own.task());
  std::vector<int> taken(5, 0);
  for (std::uint32_t row = 0; row < 400; ++row) {
    for (std::uint16_t v = 0; v < 5; ++v) {
      taken[v] += made->profiles.match(RowId{row}, PrivateId{0}, ValueId{v}) > 0 ? 1 : 0;
    }
  }
  EXPECT_EQ(taken[1], 400);
  for (int v : {0, 2, 3, 4}) EXPECT_NEAR(taken[v], 100, 40);
}

TEST(Esvt, GivesSharesToRowsThatTakeNoPart) {
  OwnTask own{coded_table({{0, 0}, {0, 1}, {0, 1}, {0, 2}}, 1, {1, 4})};
  own.demand.l = 2;
  own.demand.min_group = 2;
  Task task = own.task();
  task.taking_part = {1, 1, 1, 0};
  auto made = protect_esvt(task);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->report.rows_without_signal, 1U);
  EXPECT_EQ(made->report.solved, 3U);
  EXPECT_DOUBLE_EQ(made->profiles.match(RowId{3}, PrivateId{0}, ValueId{1}), 2.0 / 3);
  EXPECT_EQ(made->profiles.match(RowId{3}, PrivateId{0}, ValueId{2}), 0);
}

}  // namespace
}  // namespace rankveil
