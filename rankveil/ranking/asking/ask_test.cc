// The engine's answers to requests against the plain ones.
#include "rankveil/ranking/asking/ask.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/ranking/testing/expect_plain.h"
#include "rankveil/ranking/testing/plain_asking.h"
#include "rankveil/ranking/testing/random_requests.h"

namespace rankveil {
namespace {

using namespace testing_support;  // NOLINT: the vocabulary of these tests

constexpr std::uint64_t profile_kinds = 6;

Profiles asked_profiles(Rng& rng, const Table& table, std::uint64_t kind) {
  switch (kind) {
    case 0:
      return unprotected_profiles(table);
    case 1:
      return random_levels(rng, table, 1);  // sets
    case 2:
      return random_levels(rng, table, 6);
    case 3:
      return random_grouped(rng, table, 3, {1, 3});  // large groups
    case 4:
      return random_grouped(rng, table, 1 + table.rows() / 20, {2, 5});
    default:
      return random_grouped(rng, table, 1 + table.rows() / 40, {1, 2}, 5);
  }
}

RandomShape some_shape(Rng& rng) {
  return {1 + static_cast<std::uint32_t>(rng.below(rng.below(3) == 0 ? 4000 : 300)),
          1 + static_cast<std::uint32_t>(rng.below(4)), static_cast<std::uint32_t>(rng.below(4)),
          rng.below(4) == 0 ? 90U : 7U};
}

// The row of the table for each row of an answer.
std::vector<std::uint32_t> rows_of(const Page& page, const std::vector<std::uint32_t>& kept) {
  std::vector<std::uint32_t> rows;
  for (const Found& each : page.rows) rows.push_back(kept[+each.row]);
  return rows;
}

void expect_plain_page(const Served& served, const BoundRequest& request, std::uint32_t threads) {
  PublicTable rows = public_part(served.table);
  plain::Page expected = plain::page(rows, served.profiles, request, served.live);
  auto page = ask(served.index, request, threads);
  if (request.offset > 0 && request.offset >= expected.passing) {
    ASSERT_FALSE(page) << "a page behind the last row";
    return;
  }
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(page->passing, expected.passing);
  EXPECT_EQ(page->facets, expected.facets);
  ASSERT_EQ(rows_of(*page, served.kept), expected.rows);
  for (const Found& each : page->rows) {
    std::uint32_t row = served.kept[+each.row];
    double score = plain::to_double(plain::wished(rows, served.profiles, request, row));
    ASSERT_NEAR(static_cast<double>(each.score) * page->unit, score, 1e-9);
    ASSERT_EQ(each.digits, plain::sorted_by(rows, served.profiles, request, row));
  }
}

void expect_plain_explanation(const Served& served, const BoundRequest& request, Rng& rng) {
  auto at = static_cast<std::uint32_t>(rng.below(served.kept.size()));
  auto last = static_cast<std::uint32_t>(served.kept.size() - 1);
  PublicTable rows = public_part(served.table);
  std::vector<RowId> explained = {RowId{at}, RowId{0}, RowId{last}, RowId{at}};
  auto added = explain(served.index, request, explained);
  ASSERT_EQ(added.size(), explained.size());
  for (std::size_t r = 0; r < explained.size(); ++r) {
    ASSERT_EQ(added[r].size(), request.wishes.size());
    for (std::size_t i = 0; i < request.wishes.size(); ++i) {
      auto exact = plain::wished(rows, served.profiles, request, i, served.kept[+explained[r]]);
      ASSERT_NEAR(added[r][i], plain::to_double(exact), 1e-9);
    }
  }
}

// A few hundred tables by default; RANKVEIL_REQUESTS asks for more requests.
std::uint64_t wanted_requests() {
  const char* told = std::getenv("RANKVEIL_REQUESTS");
  return told != nullptr ? std::strtoull(told, nullptr, 10) : some_of(3000U);
}

TEST(Ask, AnswersAsThePlainEngineDoes) {
  constexpr std::uint64_t a_table = 25;
  std::uint64_t wanted = wanted_requests();
  for (std::uint64_t seed = 0; seed * a_table < wanted; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = with_orders(rng, random_table(rng, some_shape(rng)));
    Profiles profiles = asked_profiles(rng, table, seed % profile_kinds);
    Served served(table, profiles, table.rows() > 1 && rng.below(3) == 0);
    if (served.kept.empty()) continue;
    RandomRequests requests(rng, table.schema());
    for (std::uint64_t i = 0; i < a_table; ++i) {
      Request request = requests.next();
      SCOPED_TRACE(::testing::Message() << "request " << i << ": " << to_json(request).dump(-1));
      auto bound = bind_request(table.schema(), attribute_weights(table.schema()), request);
      ASSERT_TRUE(bound) << bound.error().message;
      expect_plain_page(served, *bound, 1 + static_cast<std::uint32_t>(i % 3));
      expect_plain_explanation(served, *bound, rng);
      if (HasFatalFailure()) return;
    }
  }
}

// The rows of a table twice.
Table doubled(const Table& table) {
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    std::vector<ValueId> values;
    for (std::uint32_t row = 0; row < 2 * table.rows(); ++row) {
      values.push_back(table.value(RowId{row % table.rows()}, AttributeId{i}));
    }
    columns.emplace_back(table.schema().attributes[i].domain.size(), values);
  }
  return Table(table.schema(), std::move(columns), RowNames(RowNumbers{2 * table.rows()}));
}

TEST(Ask, FindsRowsOfEverySegment) {
  for (std::uint64_t seed = 0; seed < some_of(20U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table half = with_orders(rng, random_table(rng, {700, 3, 2, 9}));
    Table table = doubled(half);
    Profiles profiles = unprotected_profiles(table);
    Served served(table, profiles, false);
    served.index = build_index(public_part(half), unprotected_profiles(half), {}, {});
    auto more = served.index.append(public_part(half), unprotected_profiles(half));
    ASSERT_TRUE(more) << more.error().message;
    served.index = *more;
    RandomRequests requests(rng, table.schema());
    for (int i = 0; i < 20; ++i) {
      Request request = requests.next();
      SCOPED_TRACE(::testing::Message() << "request " << i << ": " << to_json(request).dump(-1));
      auto bound = bind_request(table.schema(), attribute_weights(table.schema()), request);
      ASSERT_TRUE(bound) << bound.error().message;
      expect_plain_page(served, *bound, 2);
      expect_plain_explanation(served, *bound, rng);
      if (HasFatalFailure()) return;
    }
  }
}

// With a wish and a sort key on a private attribute besides.
Request private_request(Rng& rng, RandomRequests& requests, const Schema& schema) {
  Request request = requests.next();
  const Attribute& secret =
      schema.attributes[schema.public_count() + rng.below(schema.private_count())];
  request.prefer.push_back({secret.name, OrderText{rng.below(2) == 0}});
  bool sorted =
      std::ranges::find(request.sort, secret.name, &SortText::attribute) != request.sort.end();
  if (!sorted) request.sort.insert(request.sort.begin(), {secret.name, rng.below(2) == 0});
  request.offset = 0;
  return request;
}

// The plain engine is given public values and profiles, and nothing else. What the engine says of
// private attributes is what follows from them.
TEST(Ask, SaysOfPrivateAttributesWhatFollowsFromProfiles) {
  for (std::uint64_t seed = 0; seed < some_of(30U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    Table table = with_orders(rng, random_table(rng, {400, 2, 3}));
    Profiles profiles = asked_profiles(rng, table, 1 + seed % (profile_kinds - 1));
    Served served(table, profiles, false);
    RandomRequests requests(rng, table.schema());
    for (int i = 0; i < 30; ++i) {
      Request request = private_request(rng, requests, table.schema());
      SCOPED_TRACE(::testing::Message() << "request " << i << ": " << to_json(request).dump(-1));
      auto bound = bind_request(table.schema(), attribute_weights(table.schema()), request);
      ASSERT_TRUE(bound) << bound.error().message;
      expect_plain_page(served, *bound, 1);
      expect_plain_explanation(served, *bound, rng);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace rankveil
