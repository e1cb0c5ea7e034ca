#include "rankveil/table/telling/near_copies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/base/random.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Domain domain_of(std::uint32_t size) {
  std::vector<std::string> values;
  for (std::uint32_t i = 0; i < size; ++i) values.push_back("v" + std::to_string(i));
  return *Domain::of(values);
}

// Columns called a, b, c, ... of private values.
Table table_of(const std::vector<std::vector<ValueId>>& columns, std::uint32_t domain) {
  Schema schema;
  std::vector<Column> made;
  for (const auto& values : columns) {
    schema.attributes.push_back({.name = std::string(1, static_cast<char>('a' + made.size())),
                                 .visibility = Visibility::Private,
                                 .domain = domain_of(domain)});
    made.emplace_back(domain, values);
  }
  return Table(schema, made, RowNames(RowNumbers{static_cast<std::uint32_t>(columns[0].size())}));
}

std::vector<ValueId> random_codes(Rng& rng, std::uint32_t rows, std::uint32_t domain) {
  std::vector<ValueId> values;
  for (std::uint32_t i = 0; i < rows; ++i) {
    values.push_back(ValueId{static_cast<std::uint16_t>(rng.below(domain))});
  }
  return values;
}

// Each value anew in this share of rows.
std::vector<ValueId> noisy(Rng& rng, std::vector<ValueId> values, double share,
                           std::uint32_t domain) {
  for (ValueId& value : values) {
    if (rng.uniform() < share) value = ValueId{static_cast<std::uint16_t>(rng.below(domain))};
  }
  return values;
}

TEST(NearCopies, AreFoundThroughNoise) {
  Rng rng(1);
  auto a = random_codes(rng, 5000, 6), c = random_codes(rng, 5000, 6);
  auto found = near_copies(table_of({a, c, noisy(rng, a, 0.1, 6), noisy(rng, c, 0.8, 6)}, 6));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].columns, ElementsAre("a", "c"));
  EXPECT_GT(found[0].shared, 0.5);
  EXPECT_LT(found[0].shared, 0.9);
}

TEST(NearCopies, MayBeCoarserAndMayLackValues) {
  Rng rng(2);
  auto fine = random_codes(rng, 3000, 12);
  std::vector<ValueId> coarse;
  for (ValueId value : fine) coarse.push_back(ValueId{static_cast<std::uint16_t>(+value / 4)});
  for (std::uint32_t row = 0; row < 3000; row += 9) coarse[row] = missing_value;
  auto found = near_copies(table_of({fine, random_codes(rng, 3000, 3), coarse}, 12));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].columns, ElementsAre("a", "c"));
}

TEST(NearCopies, JoinChains) {
  Rng rng(3);
  auto a = random_codes(rng, 5000, 8);
  auto b = noisy(rng, a, 0.2, 8), c = noisy(rng, b, 0.2, 8);
  auto found = near_copies(table_of({a, c, b}, 8));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].columns, ElementsAre("a", "b", "c"));
}

// What the owner joined, or means to have apart, is not told of; a chain may be settled in part.
TEST(NearCopies, AreNotToldWhereTheyAreSettled) {
  Rng rng(3);
  auto a = random_codes(rng, 5000, 8);
  auto b = noisy(rng, a, 0.15, 8), c = noisy(rng, b, 0.2, 8);
  Table table = table_of({a, b, c}, 8);
  EXPECT_THAT(near_copies(table, {{"b", "a", "c"}}), IsEmpty());
  EXPECT_THAT(near_copies(table, {{"a", "b"}, {"b", "c"}, {"c", "a"}}), IsEmpty());
  auto left = near_copies(table, {{"a", "b"}, {"a", "c"}});
  ASSERT_EQ(left.size(), 1U);
  EXPECT_THAT(left[0].columns, ElementsAre("b", "c"));
}

// A policy has one key of that name, and a column stands in one of its lists.
TEST(TogetherKey, JoinsCopiesToTheListsThereAre) {
  EXPECT_EQ(together_key({}, {{{"a", "b"}, 0.8}}), "together = [[\"a\", \"b\"]]");
  EXPECT_EQ(together_key({{"d", "b"}, {"x", "y"}}, {{{"a", "b"}, 0.8}}),
            "together = [[\"x\", \"y\"], [\"a\", \"b\", \"d\"]]");
  EXPECT_EQ(apart_key({{"a", "d"}}, {{{"a", "b"}, 0.8}}),
            "apart = [[\"a\", \"d\"], [\"a\", \"b\"]]");
}

// 100 values in 300 rows: half of the entropy would seem to be shared by chance.
TEST(NearCopies, AreNotMadeByFewRows) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed);
    for (auto [rows, domain] : {std::pair{300U, 40U}, {60U, 6U}, {2000U, 200U}}) {
      Table table =
          table_of({random_codes(rng, rows, domain), random_codes(rng, rows, domain)}, domain);
      EXPECT_THAT(near_copies(table), IsEmpty()) << seed << ", " << rows << " rows";
    }
  }
}

TEST(TogetherHint, IsAPolicysKeyBehindAMark) {
  Policy policy;
  for (const char* name : {"a", "b \"c\"", "d"}) {
    policy.columns.push_back({.name = name, .role = Role::Private});
  }
  std::string text = together_hint({}, {{{"a", "b \"c\""}, 0.8}}) + to_toml(policy);
  EXPECT_EQ(*parse_policy(text, "p.toml"), policy) << "a proposal changes nothing";
  auto mark = text.find("# together =");
  ASSERT_NE(mark, std::string::npos) << text;
  auto read = parse_policy(text.erase(mark, 2), "p.toml");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->together, ElementsAre(ElementsAre("a", "b \"c\"")));
  EXPECT_EQ(together_hint({}, {}), "");
}

TEST(NearCopies, AreNoneWhereNothingVaries) {
  std::vector<ValueId> same(50, ValueId{0});
  EXPECT_THAT(near_copies(table_of({same, same}, 2)), IsEmpty());
}

}  // namespace
}  // namespace rankveil
