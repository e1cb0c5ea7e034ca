#include "rankveil/protect/rows/telling_ids.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "rankveil/base/random.h"
#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/rows/id_patterns.h"

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// People in cities with a religion of `creeds`, more of some than of others, and pay.
struct Town {
  std::vector<ValueId> city, religion, pay;
};

Domain numbered_domain(std::uint32_t size) {
  std::vector<std::string> values;
  for (std::uint32_t i = 0; i < size; ++i) values.push_back(fmt::format("v{}", i));
  return *Domain::of(values);
}

constexpr std::uint32_t cities = 6, creeds = 5, pays = 3;

// Each person's religion hangs on the city in `tie` of cases.
Town town_of(std::uint32_t people, double tie, std::uint64_t seed) {
  Rng rng(seed);
  Town town;
  auto any = [&](std::uint32_t size) {  // small numbers more often
    return ValueId{static_cast<std::uint16_t>(std::min(rng.below(size), rng.below(size)))};
  };
  for (std::uint32_t i = 0; i < people; ++i) {
    town.city.push_back(any(cities));
    town.religion.push_back(rng.uniform() < tie
                                ? ValueId{static_cast<std::uint16_t>(+town.city.back() % creeds)}
                                : any(creeds));
    town.pay.push_back(any(pays));
  }
  return town;
}

Table table_of(const Town& town, std::vector<std::string> ids) {
  Schema schema;
  schema.id_name = "id";
  schema.attributes.push_back({.name = "city", .domain = numbered_domain(cities)});
  schema.attributes.push_back(
      {.name = "religion", .visibility = Visibility::Private, .domain = numbered_domain(creeds)});
  schema.attributes.push_back(
      {.name = "pay", .visibility = Visibility::Private, .domain = numbered_domain(pays)});
  TextNames names;
  for (const std::string& id : ids) {
    names.bytes += id;
    names.ends.push_back(names.bytes.size());
  }
  return Table(schema,
               {Column(cities, town.city), Column(creeds, town.religion), Column(pays, town.pay)},
               RowNames(std::move(names)));
}

std::vector<std::uint32_t> order_by(const std::vector<ValueId>& values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order,
                           [&](auto left, auto right) { return values[left] < values[right]; });
  return order;
}

// Numbers 1000, 1001, ... in this order of rows.
std::vector<std::string> ids_along(const std::vector<std::uint32_t>& order) {
  std::vector<std::string> ids(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) ids[order[i]] = std::to_string(1000 + i);
  return ids;
}

std::vector<std::string> shuffled_ids(std::uint32_t rows, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = rows; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return ids_along(order);
}

std::vector<std::string> attributes_of(const std::vector<Telling>& tellings) {
  std::vector<std::string> names;
  for (const Telling& telling : tellings) names.push_back(telling.attribute);
  return names;
}

TEST(WhatIdsTell, FindsIdsInOrderOfAPrivateColumn) {
  for (std::uint32_t people : {200U, 2000U, 20'000U}) {
    Town town = town_of(people, 0, people);
    auto told = what_ids_tell(table_of(town, ids_along(order_by(town.religion))), 3);
    ASSERT_THAT(attributes_of(told), ElementsAre("religion")) << people;
    EXPECT_GT(told[0].gain, 0.8);
    EXPECT_GT(told[0].rows, people / 2);
    EXPECT_EQ(told[0].pattern, "the last number in their ids");
  }
}

TEST(WhatIdsTell, FindsBeginningsEndsAndLengths) {
  Town town = town_of(3000, 0, 7);
  auto plain = shuffled_ids(3000, 8);
  std::vector<std::string> beginnings, ends, lengths, last_digits;
  for (std::uint32_t row = 0; row < 3000; ++row) {
    std::uint32_t value = +town.religion[row];
    beginnings.push_back(fmt::format("{}-{}", "QZBKM"[value], plain[row]));
    ends.push_back(fmt::format("{}/{}", plain[row], "QZBKM"[value]));
    lengths.push_back(std::string(value, '0') + plain[row]);
    last_digits.push_back(std::to_string(std::stoul(plain[row]) * 10 + value));
  }
  auto first = [&](const std::vector<std::string>& ids) {
    auto told = what_ids_tell(table_of(town, ids), 3);
    return told.empty() ? std::string() : told[0].attribute + " by " + std::string(told[0].pattern);
  };
  EXPECT_EQ(first(beginnings), "religion by how their ids begin");
  EXPECT_EQ(first(ends), "religion by how their ids end");
  EXPECT_EQ(first(lengths), "religion by how long their ids are");
  EXPECT_EQ(first(last_digits), "religion by how their ids end");
}

// Six people of a household next to each other, who share a religion.
TEST(WhatIdsTell, FindsHouseholds) {
  Town town = town_of(6000, 0, 11);
  for (std::uint32_t row = 0; row < 6000; ++row) town.religion[row] = town.religion[row / 6 * 6];
  std::vector<std::uint32_t> order(6000);
  std::iota(order.begin(), order.end(), 0U);
  EXPECT_THAT(attributes_of(what_ids_tell(table_of(town, ids_along(order)), 3)),
              ElementsAre("religion"));
}

TEST(WhatIdsTell, RaisesNoAlarmOnShuffledIds) {
  for (std::uint64_t seed = 0; seed < some_of(400U); ++seed) {
    auto people = static_cast<std::uint32_t>(20 + 97 * seed % 3000);
    Table table =
        table_of(town_of(people, seed % 2 == 0 ? 0.7 : 0, seed), shuffled_ids(people, seed));
    EXPECT_THAT(what_ids_tell(table, seed % 2 == 0 ? 2 : 3), IsEmpty()) << "seed " << seed;
  }
}

// Ids city by city, where most of a city share a religion: the city says so itself.
TEST(WhatIdsTell, LeavesAloneWhatPublicColumnsTell) {
  for (std::uint64_t seed = 0; seed < some_of(40U); ++seed) {
    Town town = town_of(4000, 0.8, seed);
    EXPECT_THAT(what_ids_tell(table_of(town, ids_along(order_by(town.city))), 3), IsEmpty())
        << "seed " << seed;
  }
}

TEST(WhatIdsTell, LooksAtTheRowsItIsAskedToLookAt) {
  Town town = town_of(2000, 0, 3);
  auto ids = ids_along(order_by(town.religion));
  auto plain = shuffled_ids(2000, 5);
  std::vector<std::uint8_t> half(2000, 0);
  for (std::uint32_t row = 0; row < 2000; row += 2) {
    half[row] = 1;
    ids[row] = plain[row];  // these ids tell nothing, those of the others do
  }
  EXPECT_THAT(what_ids_tell(table_of(town, ids), 3, half), IsEmpty());
}

TEST(WhatOrderTells, FindsASortedTable) {
  Town town = town_of(2000, 0, 9);
  Town sorted;
  for (std::uint32_t row : order_by(town.pay)) {
    sorted.city.push_back(town.city[row]);
    sorted.religion.push_back(town.religion[row]);
    sorted.pay.push_back(town.pay[row]);
  }
  auto ids = shuffled_ids(2000, 1);
  EXPECT_THAT(attributes_of(what_order_tells(table_of(sorted, ids), 3)), ElementsAre("pay"));
  EXPECT_THAT(what_order_tells(table_of(town, ids), 3), IsEmpty());
  EXPECT_THAT(what_ids_tell(table_of(sorted, ids), 3), IsEmpty());
}

TEST(WhatIdsTell, IsTheSameOnAnyNumberOfThreads) {
  Town town = town_of(1000, 0, 4);
  Table table = table_of(town, ids_along(order_by(town.religion)));
  auto one = what_ids_tell(table, 3, {}, 1), four = what_ids_tell(table, 3, {}, 4);
  ASSERT_EQ(one.size(), four.size());
  EXPECT_EQ(one[0].gain, four[0].gain);
}

TEST(IdPatterns, SortNumbersBySizeAndTextFromBothEnds) {
  auto texts = [](const RowNames& ids, std::size_t pattern) {
    std::vector<std::string> list;
    auto patterns = id_patterns(ids);
    if (pattern >= patterns.size()) return list;
    for (std::uint32_t row : patterns[pattern].order) list.push_back(ids.text(RowId{row}));
    return list;
  };
  RowNames numbers(IntegerNames{{10, 9, -3, -20}});
  EXPECT_THAT(texts(numbers, 0), ElementsAre("-20", "-3", "9", "10"));
  EXPECT_THAT(texts(numbers, 1), ElementsAre("-20", "-3", "10", "9"));
  RowNames names(TextNames{"b7x-1a10c2-bz", {4, 8, 13}});  // "b7x-", "1a10", "c2-bz"
  EXPECT_THAT(texts(names, 0), ElementsAre("c2-bz", "b7x-", "1a10"));
  EXPECT_THAT(texts(names, 1), ElementsAre("1a10", "b7x-", "c2-bz"));
  EXPECT_THAT(texts(names, 2), ElementsAre("b7x-", "1a10", "c2-bz"));
  EXPECT_THAT(id_patterns(RowNames(IntegerNames{{7}})), IsEmpty());
}

}  // namespace
}  // namespace rankveil
