// What no attack can do, and what one can where another cannot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/attack/bases.h"
#include "rankveil/attack/method.h"
#include "rankveil/attack/testing/plain_target.h"

namespace rankveil::attack {
namespace {

using namespace testing_support;

PlainRow row(std::uint32_t public_value, std::uint32_t private_value, std::int64_t tie,
             std::uint32_t domain) {
  PlainRow made{{id(public_value), id(private_value)}, {}, tie};
  made.strengths = own_values(made.values, 1, {domain});
  return made;
}

struct Ranking {
  std::vector<PlainRow> rows;
  Knowledge knowledge;
  std::uint32_t domain;

  Ranking(std::vector<PlainRow> given, std::uint32_t publics, std::uint32_t privates,
          std::vector<std::int64_t> weights, std::uint32_t k)
      : rows(std::move(given)),
        knowledge(knowledge_of(rows, {publics}, {privates}, std::move(weights), k,
                               {.none_missing = true})),
        domain(privates) {}

  Finding attack(std::string_view method, std::uint32_t victim, Budget budget = {}) {
    PlainTarget target(knowledge, rows, 1,
                       [this, tie = 1000](std::span<const ValueId> values) mutable {
                         return row(+values[0], +values[1], tie++, domain);
                       });
    auto report =
        run(method, {.knowledge = knowledge, .target = target, .victim = victim, .budget = budget});
    EXPECT_TRUE(report);
    return report->findings[0];
  }
};

// T1: k rows like the victim go before it whatever is asked.
TEST(Limits, AVictimHiddenByItsTwinsIsNeverFound) {
  std::vector<PlainRow> rows;
  for (std::uint32_t i = 0; i < 4; ++i) rows.push_back(row(0, 1, i, 3));
  rows.push_back(row(1, 0, 4, 3));
  rows.push_back(row(1, 2, 5, 3));
  Ranking ranking(rows, 2, 3, {2, 1}, 3);
  for (const Method& method : methods()) {
    Finding found = ranking.attack(method.name, 3);
    EXPECT_EQ(found.outcome, Outcome::Hidden) << method.name;
    EXPECT_THAT(found.matched(), testing::IsEmpty()) << method.name;
  }
}

// T2: without contrast queries alone learn nothing; own rows bring contrast.
TEST(Limits, WithoutContrastOnlyOwnRowsHelp) {
  std::vector<PlainRow> rows;
  for (std::uint32_t i = 0; i < 8; ++i) rows.push_back(row(i % 2, 1, i, 3));
  Ranking ranking(rows, 2, 3, {2, 1}, 3);
  for (const char* method : {"q-point", "q-in"}) {
    Finding found = ranking.attack(method, 2);
    EXPECT_EQ(found.outcome, Outcome::Open) << method;
    EXPECT_EQ(found.candidates().size(), 3U) << method;
  }
  for (const char* method : {"qi-point", "qi-in", "profile-by-sets"}) {
    Finding found = ranking.attack(method, 2);
    EXPECT_EQ(found.outcome, Outcome::Resolved) << method;
    EXPECT_THAT(found.matched(), testing::ElementsAre(id(1))) << method;
  }
}

// T6: four rows with f, then t with g, then the victim with h.
TEST(Limits, SetsReachWherePointsDoNot) {
  for (std::uint32_t value : {0U, 1U}) {
    Ranking ranking({row(0, 0, 0, 2), row(0, 0, 1, 2), row(0, 1, 2, 2), row(0, 1, 3, 2),
                     row(1, 1, 4, 2), row(2, value, 5, 2)},
                    3, 2, {10, 1}, 2);
    Finding points = ranking.attack("q-point", 5);
    EXPECT_EQ(points.outcome, Outcome::Open);
    EXPECT_EQ(points.candidates().size(), 2U);
    Finding sets = ranking.attack("q-in", 5);
    // It passes t if it matches what t does not. If both stay, they may match the same.
    if (value == 0) {
      EXPECT_THAT(sets.matched(), testing::ElementsAre(id(0)));
    } else {
      EXPECT_THAT(sets.matched(), testing::IsEmpty());
    }
  }
}

TEST(Limits, ASpentBudgetIsSaidAndProvesNothingWrong) {
  std::vector<PlainRow> rows;
  for (std::uint32_t i = 0; i < 8; ++i) rows.push_back(row(i % 2, i % 3, i, 3));
  Ranking ranking(rows, 2, 3, {2, 1}, 3);
  Finding found = ranking.attack("qi-point", 2, {.queries = 1});
  EXPECT_EQ(found.outcome, Outcome::OutOfBudget);
  EXPECT_EQ(found.queries, 1U);
}

TEST(Limits, WrongWeightsAreNoticed) {
  std::vector<PlainRow> rows;
  for (std::uint32_t i = 0; i < 8; ++i) rows.push_back(row(i % 2, i % 3, i, 3));
  Ranking truth(rows, 2, 3, {1, 5}, 4);
  Knowledge wrong = truth.knowledge;
  wrong.weights.units = {5, 1};
  PlainTarget target(truth.knowledge, rows, 1);
  Request request{.knowledge = wrong, .target = target, .victim = 0};
  Session session(request);
  Base* base = session.base(session.full_query());
  ASSERT_NE(base, nullptr);
  EXPECT_FALSE(session.test(*base, PrivateId{0}, id(0))) << "a match outweighs a public value";
  EXPECT_FALSE(session.consistent());
}

TEST(Limits, RequestsThatMakeNoSenseAreRefused) {
  std::vector<PlainRow> rows = {row(0, 0, 0, 2), row(1, 1, 1, 2)};
  Ranking ranking(rows, 2, 2, {1, 1}, 1);
  PlainTarget closed(ranking.knowledge, rows, 1);
  EXPECT_FALSE(run("q-pint", {.knowledge = ranking.knowledge, .target = closed}));
  EXPECT_FALSE(run("qi-in", {.knowledge = ranking.knowledge, .target = closed}));
  EXPECT_FALSE(run("q-in", {.knowledge = ranking.knowledge, .target = closed, .victim = 2}));
  EXPECT_FALSE(run(
      "q-in", {.knowledge = ranking.knowledge, .target = closed, .attributes = {PrivateId{1}}}));
}

TEST(Bases, TheEdgeIsTheLastQueryThatShowsTheVictim) {
  std::vector<PlainRow> rows;
  std::vector<std::uint32_t> domains = {2, 2, 2};
  for (std::uint32_t i = 0; i < 8; ++i) {
    PlainRow made{{id(i & 1), id((i >> 1) & 1), id((i >> 2) & 1), id(0)}, {}, i};
    made.strengths = own_values(made.values, 3, {2});
    rows.push_back(made);
  }
  Knowledge knowledge = knowledge_of(rows, domains, {2}, {1, 1, 1, 1}, 3, {});
  PlainTarget target(knowledge, rows, 1);
  Request request{.knowledge = knowledge, .target = target, .victim = 5};
  Session session(request);
  std::vector<Query> chain = {session.full_query()};
  for (std::uint32_t i = 0; i < 3; ++i) {
    chain.push_back(chain.back());
    chain.back().wanted[i].clear();
  }
  // Alone with all three values, one of two without the first, of four without the second too.
  Base* edge = edge_base(session, chain);
  ASSERT_NE(edge, nullptr);
  EXPECT_EQ(edge->query, chain[2]);
  EXPECT_LE(session.queries(), 3U);
}

}  // namespace
}  // namespace rankveil::attack
