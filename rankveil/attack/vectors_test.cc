// The worked examples: A1 in {x, y} of weight 3, A2 in {p, q} of weight 1, B in {a, b, c, d} of
// weight 2, k = 3, ties by row. Rows 1 to 7 of the examples are rows 0 to 6 here; row 3 (here 2) is
// the victim.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/attack/method.h"
#include "rankveil/attack/sentinels.h"
#include "rankveil/attack/testing/plain_target.h"

namespace rankveil::attack {
namespace {

using namespace testing_support;
using testing::ElementsAre;

constexpr std::uint32_t x = 0, y = 1, p = 0, q = 1;
constexpr ValueId a{0}, b{1}, c{2}, d{3};
constexpr PrivateId attribute_b{0};
constexpr std::uint32_t victim = 2;

PlainRow row(std::uint32_t first, std::uint32_t second, ValueId value, std::int64_t tie) {
  PlainRow made{{id(first), id(second), value}, {}, tie};
  made.strengths = own_values(made.values, 2, {4});
  return made;
}

std::vector<PlainRow> worked_rows() {
  return {row(x, p, b, 0), row(x, p, a, 1), row(x, p, c, 2), row(x, q, a, 3),
          row(y, p, d, 4), row(x, q, c, 5), row(x, p, d, 6)};
}

PlainTarget::Make unprotected_at_the_end() {
  return [tie = 100](std::span<const ValueId> values) mutable {
    PlainRow made{{values.begin(), values.end()}, {}, tie++};
    made.strengths = own_values(made.values, 2, {4});
    return made;
  };
}

struct Vectors {
  std::vector<PlainRow> rows;
  Knowledge knowledge;
  PlainTarget target;

  explicit Vectors(Belief belief, std::vector<PlainRow> given = worked_rows())
      : rows(std::move(given)),
        knowledge(knowledge_of(rows, {2, 2}, {4}, {3, 1, 2}, 3, belief)),
        target(knowledge, rows, 1, unprotected_at_the_end()) {}

  // Rows as the examples number them, from 1.
  std::vector<std::uint32_t> ask(const std::vector<ValueId>& wanted) {
    Query query{{{id(x)}, {id(p)}, wanted}};
    auto rows_returned = *target.query(query);
    for (auto& number : rows_returned) ++number;
    return rows_returned;
  }
  void insert(ValueId value) { ASSERT_TRUE(target.insert(std::vector{id(x), id(q), value})); }
  Finding attack(std::string_view method) {
    auto report = run(method, {.knowledge = knowledge, .target = target, .victim = victim});
    EXPECT_TRUE(report);
    return report->findings[0];
  }
};

// P(3) = {b, c}.
std::vector<PlainRow> protected_rows() {
  auto rows = worked_rows();
  rows[victim].strengths[0][+b] = 1;
  return rows;
}

const Belief unprotected = {.none_missing = true};
const Belief sets = {.kind = ProfileKind::Sets, .own_rows_match = true};

TEST(Vectors, V1QPointFindsTheValue) {
  Vectors table(unprotected);
  EXPECT_THAT(table.ask({}), ElementsAre(1, 2, 3));
  EXPECT_THAT(table.ask({a}), ElementsAre(2, 4, 1));
  EXPECT_THAT(table.ask({b}), ElementsAre(1, 2, 3));
  EXPECT_THAT(table.ask({c}), ElementsAre(3, 6, 1));
  EXPECT_THAT(table.ask({d}), ElementsAre(7, 1, 2));
  Finding found = table.attack("q-point");
  EXPECT_EQ(found.outcome, Outcome::Resolved);
  EXPECT_THAT(found.matched(), ElementsAre(c));
  EXPECT_LE(found.queries, 5U);
}

TEST(Vectors, V2QPointFindsAProtectedProfile) {
  Vectors table(sets, protected_rows());
  EXPECT_THAT(table.ask({b}), ElementsAre(1, 3, 2));
  Finding found = table.attack("q-point");
  EXPECT_EQ(found.outcome, Outcome::Resolved);
  EXPECT_THAT(found.matched(), ElementsAre(b, c));
}

// V3 and V4 are tests of the engine.

TEST(Vectors, V5QAndIPointDecidesEachValueWithALowRow) {
  Vectors table(unprotected);
  table.insert(a);
  EXPECT_THAT(table.ask({a}), ElementsAre(2, 4, 8));
  table.insert(b);
  EXPECT_THAT(table.ask({b}), ElementsAre(1, 9, 2));
  table.insert(c);
  EXPECT_THAT(table.ask({c}), ElementsAre(3, 6, 10));
  table.insert(d);
  EXPECT_THAT(table.ask({d}), ElementsAre(7, 11, 1));
  EXPECT_THAT(table.ask({}), ElementsAre(1, 2, 3));

  Vectors fresh({.kind = ProfileKind::Sets, .own_rows_match = true});
  Finding found = fresh.attack("qi-point");
  EXPECT_EQ(found.outcome, Outcome::Resolved);
  EXPECT_THAT(found.matched(), ElementsAre(c));
  EXPECT_EQ(found.queries, 5U);
  EXPECT_LE(found.inserts, 4U);
}

TEST(Vectors, V6QAndIInNeedsOneRowAndTwoTests) {
  Vectors table(unprotected);
  table.insert(a);
  EXPECT_THAT(table.ask({a, b}), ElementsAre(1, 2, 4));
  EXPECT_THAT(table.ask({a, c}), ElementsAre(2, 3, 4));

  Vectors fresh(unprotected);
  Finding found = fresh.attack("qi-in");
  EXPECT_EQ(found.outcome, Outcome::Resolved);
  EXPECT_THAT(found.matched(), ElementsAre(c));
  EXPECT_EQ(found.queries, 3U) << "the base and two tests";
  EXPECT_EQ(found.inserts, 1U);
  EXPECT_THAT(fresh.target.row(7).values, ElementsAre(id(x), id(q), a)) << "a low row";
}

TEST(Vectors, V7SplittingSetsFindsAProtectedProfile) {
  Vectors table(sets, protected_rows());
  table.insert(a);
  EXPECT_THAT(table.ask({a, b}), ElementsAre(1, 2, 3));
  EXPECT_THAT(table.ask({a}), ElementsAre(2, 4, 8));
  EXPECT_THAT(table.ask({a, c, d}), ElementsAre(2, 3, 7));
  EXPECT_THAT(table.ask({a, c}), ElementsAre(2, 3, 4));
  EXPECT_THAT(table.ask({a, d}), ElementsAre(2, 7, 4));

  Vectors fresh(sets, protected_rows());
  Finding found = fresh.attack("profile-by-sets");
  EXPECT_EQ(found.outcome, Outcome::Resolved);
  EXPECT_THAT(found.matched(), ElementsAre(b, c));
  EXPECT_LE(found.queries, 6U) << "the base and five sets";
  EXPECT_EQ(found.inserts, 1U);
}

TEST(Vectors, V8QInTellsTheVictimFromItsTwin) {
  Vectors table(unprotected);
  EXPECT_THAT(table.ask({b, d}), ElementsAre(1, 7, 2));
  EXPECT_THAT(table.ask({a, c}), ElementsAre(2, 3, 4));
  EXPECT_THAT(table.ask({c, d}), ElementsAre(3, 7, 6));
  Finding found = table.attack("q-in");
  EXPECT_EQ(found.outcome, Outcome::Resolved);
  EXPECT_THAT(found.matched(), ElementsAre(c));
  EXPECT_LE(found.queries, 4U);
}

TEST(Vectors, V9ABaseThatHidesTheVictimIsLeftForLowRows) {
  Vectors table(unprotected);
  table.insert(a);
  EXPECT_THAT(*table.target.query(Query{{{id(x)}, {id(q)}, {}}}), ElementsAre(3, 5, 7))
      << "a row above the victim would need this base, which does not show it";
  Vectors fresh(unprotected);
  Request asked{.knowledge = fresh.knowledge, .target = fresh.target, .victim = victim};
  Session session(asked);
  Base* base = session.base(session.full_query());
  Sentinels sentinels(session, *base, attribute_b);
  ASSERT_TRUE(sentinels.choose());
  EXPECT_EQ(sentinels.kind(), SentinelKind::Low);
}

TEST(Vectors, SuppressedOwnRowsProveNothing) {
  // Every inserted row is suppressed, so the victim stays ahead of it whatever it matches.
  auto rows = protected_rows();
  Belief wary = {.kind = ProfileKind::Sets};
  Knowledge knowledge = knowledge_of(rows, {2, 2}, {4}, {3, 1, 2}, 3, wary);
  for (const char* method : {"qi-point", "qi-in", "profile-by-sets"}) {
    PlainTarget target(knowledge, rows, 1, [tie = 100](std::span<const ValueId> values) mutable {
      return PlainRow{{values.begin(), values.end()}, {{0, 0, 0, 0}}, tie++};
    });
    auto report = run(method, {.knowledge = knowledge, .target = target, .victim = victim});
    ASSERT_TRUE(report);
    const Finding& found = report->findings[0];
    EXPECT_NE(found.outcome, Outcome::Inconsistent);
    for (ValueId value : {a, d}) EXPECT_NE(found.verdicts[+value], Verdict::Matched) << method;
  }
}

}  // namespace
}  // namespace rankveil::attack
