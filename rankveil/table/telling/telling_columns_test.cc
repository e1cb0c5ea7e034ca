#include "rankveil/table/telling/telling_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "rankveil/base/random.h"
#include "rankveil/table/telling/held_out.h"
#include "rankveil/table/telling/public_guess.h"

namespace rankveil {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Coded = std::vector<std::uint16_t>;

Column column_of(std::uint32_t size, const Coded& codes) {
  std::vector<ValueId> values;
  for (std::uint16_t code : codes) values.push_back(code < size ? ValueId{code} : missing_value);
  return Column(size, values);
}

// Public columns, then private ones, each with its number of values.
Table table_of(const std::vector<std::pair<std::uint32_t, Coded>>& publics,
               const std::vector<std::pair<std::uint32_t, Coded>>& privates) {
  Schema schema;
  std::vector<Column> columns;
  auto add = [&](const auto& list, Visibility visibility, const std::string& letter) {
    for (const auto& [size, codes] : list) {
      std::vector<std::string> values;
      for (std::uint32_t v = 0; v < size; ++v) values.push_back(std::to_string(v));
      schema.attributes.push_back({.name = letter + std::to_string(columns.size()),
                                   .visibility = visibility,
                                   .domain = *Domain::of(values)});
      columns.push_back(column_of(size, codes));
    }
  };
  add(publics, Visibility::Public, "p");
  add(privates, Visibility::Private, "s");
  auto rows = static_cast<std::uint32_t>(columns.front().size());
  return Table(schema, std::move(columns), RowNames(RowNumbers{rows}));
}

Coded drawn(std::uint32_t rows, const std::function<std::uint32_t(std::uint32_t)>& value_of) {
  Coded codes;
  for (std::uint32_t i = 0; i < rows; ++i) codes.push_back(static_cast<std::uint16_t>(value_of(i)));
  return codes;
}

std::vector<std::string> texts(const Table& table, const TellingColumnsAsked& asked = {}) {
  std::vector<std::string> all;
  for (const auto& told : telling_columns(table, asked)) {
    all.push_back(to_text(table.schema(), told, asked.l));
  }
  return all;
}

TEST(TellingColumns, NameAColumnThatTellsNearlyAll) {
  Rng rng(1);
  Coded hidden = drawn(4000, [&](auto) { return rng.below(8) == 0 ? 1 + rng.below(2) : 0; });
  Coded copy = drawn(4000, [&](auto i) { return rng.below(100) == 0 ? 0 : hidden[i]; });
  Coded other = drawn(4000, [&](auto) { return rng.below(5); });
  Table table = table_of({{3, copy}, {5, other}}, {{3, hidden}});
  auto told = telling_columns(table, {});
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].seen, std::vector{AttributeId{0}});
  EXPECT_TRUE(told[0].tells_most);
  EXPECT_GT(told[0].right, 0.99);
  EXPECT_NEAR(told[0].without, 0.875, 0.02);
  EXPECT_THAT(to_text(table.schema(), told[0], 3), HasSubstr("p0 tells 99."));
}

// The old way counted rows in sample: values of one or two rows seemed to tell everything.
TEST(TellingColumns, AreNotIdsOrColumnsOfManyValues) {
  Rng rng(2);
  Coded hidden = drawn(6000, [&](auto) { return rng.below(3); });
  for (std::uint32_t values : {6000U, 3000U, 1500U, 600U, 40U}) {
    Coded id = drawn(6000, [&](auto i) { return i % values; });
    Coded second = drawn(6000, [&](auto) { return rng.below(900); });
    EXPECT_THAT(texts(table_of({{values, id}, {900, second}}, {{3, hidden}})), IsEmpty()) << values;
  }
}

TEST(TellingColumns, NameAColumnOfManyValuesThatTells) {
  Rng rng(3);
  Coded group = drawn(2000, [&](auto) { return rng.below(3); });
  Coded code = drawn(6000, [&](auto) { return rng.below(2000); });  // three rows each
  Coded hidden = drawn(6000, [&](auto i) { return group[code[i]]; });
  EXPECT_THAT(texts(table_of({{2000, code}}, {{3, hidden}})), SizeIs(1));
}

TEST(TellingColumns, NamePairsWhereNeitherTellsAlone) {
  Rng rng(4);
  for (std::uint32_t rows : {3000U, 60000U}) {
    Coded a = drawn(rows, [&](auto) { return rng.below(6); });
    Coded b = drawn(rows, [&](auto) { return rng.below(6); });
    Coded c = drawn(rows, [&](auto) { return rng.below(6); });
    Coded hidden = drawn(rows, [&](auto i) { return (a[i] + b[i]) % 3; });
    auto told = telling_columns(table_of({{6, a}, {6, b}, {6, c}}, {{3, hidden}}), {});
    ASSERT_THAT(told, SizeIs(1)) << rows;
    EXPECT_EQ(told[0].seen, (std::vector{AttributeId{0}, AttributeId{1}}));
    EXPECT_EQ(told[0].right, 1);
  }
}

// In 20,000 rows most cells of such a pair have one row; among all rows they have company.
TEST(TellingColumns, NamePairsOfManyValues) {
  Rng rng(5);
  Coded a = drawn(200000, [&](auto) { return rng.below(150); });
  Coded b = drawn(200000, [&](auto) { return rng.below(150); });
  Coded hidden = drawn(200000, [&](auto i) { return (a[i] * 7 + b[i] * 11) % 4; });
  EXPECT_THAT(texts(table_of({{150, a}, {150, b}}, {{4, hidden}})), SizeIs(1));
}

TEST(TellingColumns, NameAGainOfATenthOfTheRows) {
  Rng rng(6);
  auto with_share = [&](std::uint32_t percent) {
    Coded clinic =
        drawn(8000, [&](auto) { return rng.below(100) < percent ? 0 : 1 + rng.below(9); });
    Coded hidden =
        drawn(8000, [&](auto i) { return clinic[i] == 0 && rng.below(2) == 0 ? 4 : rng.below(4); });
    return texts(table_of({{10, clinic}}, {{5, hidden}}));
  };
  auto told = with_share(15);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr("p0 tells a value of s1 by a gain above 1/3 of 1"));
  EXPECT_THAT(with_share(7), IsEmpty());  // too few rows, for `telling_values` to name
}

TEST(TellingColumns, TellNothingMoreOnceTheyAreKnown) {
  Rng rng(7);
  Coded hidden = drawn(4000, [&](auto) { return rng.below(3); });
  Coded copy = drawn(4000, [&](auto i) { return rng.below(20) == 0 ? rng.below(3) : hidden[i]; });
  Coded second = drawn(4000, [&](auto i) { return copy[i]; });  // says no more than the first
  Table table = table_of({{3, copy}, {3, second}}, {{3, hidden}});
  TellingColumnsAsked asked;
  auto told = telling_columns(table, asked);
  ASSERT_THAT(told, SizeIs(2));
  auto known = columns_to_know(table, asked, told);
  ASSERT_THAT(known, SizeIs(1));
  EXPECT_EQ(known[0], std::vector{AttributeId{0}});
  asked.known = known;
  EXPECT_THAT(texts(table, asked), IsEmpty());
  auto by_known = told_by_known(table, asked);
  ASSERT_THAT(by_known, SizeIs(1));
  EXPECT_NEAR(by_known[0].right, 0.967, 0.01);
  EXPECT_NEAR(by_known[0].without, 0.34, 0.02);
}

// What is left when a column is known: another one must not tell that.
TEST(TellingColumns, TellWhatAKnownOneLeavesOpen) {
  Rng rng(8);
  Coded a = drawn(5000, [&](auto) { return rng.below(3); });
  Coded b = drawn(5000, [&](auto) { return rng.below(2); });
  Coded hidden = drawn(5000, [&](auto i) { return a[i] * 2 + b[i]; });
  Table table = table_of({{3, a}, {2, b}}, {{6, hidden}});
  TellingColumnsAsked asked;
  asked.known = {{AttributeId{0}}};
  auto told = telling_columns(table, asked);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].seen, std::vector{AttributeId{1}});
  EXPECT_NEAR(told[0].without, 0.5, 0.05);
}

TEST(TellingColumns, SayNothingOfTwentyRows) {
  Rng rng(9);
  Coded hidden = drawn(20, [&](auto) { return rng.below(2); });
  EXPECT_THAT(texts(table_of({{2, hidden}}, {{2, hidden}})), IsEmpty());
}

TEST(PersonColumns, AreThoseWhoseRowsShareAPrivateValue) {
  Rng rng(10);
  Coded religion_of = drawn(500, [&](auto) { return rng.below(6); });
  Coded patient = drawn(9000, [&](auto i) { return i / 18; });
  Coded zip = drawn(9000, [&](auto) { return rng.below(300); });  // repeats, and says nothing
  Coded religion = drawn(9000, [&](auto i) { return religion_of[patient[i]]; });
  Table table = table_of({{500, patient}, {300, zip}, {6, religion}}, {{6, religion}});
  auto found = columns_like_persons(table, {});
  ASSERT_THAT(found, SizeIs(1));  // nor the third: it has 6 values
  EXPECT_EQ(to_text(table.schema(), found[0]),
            "p0 has 500 values, each in 18.0 rows on average, and s3 stays the same in them");
  std::vector<std::uint8_t> one_a_person(9000, 0);
  for (std::size_t i = 0; i < one_a_person.size(); i += 18) one_a_person[i] = 1;
  EXPECT_THAT(columns_like_persons(table, {.some_rows = one_a_person}), IsEmpty());
}

TEST(PublicGuess, PutsColumnsTogetherAndIsNotFooledByIds) {
  Rng rng(11);
  Coded a = drawn(4000, [&](auto) { return rng.below(4); });
  Coded b = drawn(4000, [&](auto) { return rng.below(4); });
  Coded id = drawn(4000, [&](auto i) { return i; });
  Coded by_both = drawn(4000, [&](auto i) { return a[i] * 4 + b[i]; });
  Coded by_none = drawn(4000, [&](auto) { return rng.below(4); });
  auto rates =
      guessed_from_public(table_of({{4, a}, {4, b}, {4000, id}}, {{16, by_both}, {4, by_none}}));
  ASSERT_THAT(rates, SizeIs(2));
  EXPECT_EQ(rates[0], 1);
  EXPECT_NEAR(rates[1], 0.26, 0.02);
  Table visits = table_of({{400, drawn(4000, [&](auto i) { return i / 10; })}},
                          {{8, drawn(4000, [&](auto i) { return i / 10 % 8; })}});
  EXPECT_EQ(guessed_from_public(visits)[0], 1);
  EXPECT_LT(guessed_from_public(visits, 0, AttributeId{0})[0], 0.2);
}

// ---- Against leaving out one row after the other ----

struct Plain {
  const Coded& outer;
  const Coded& inner;
  const Coded& hidden;
  std::uint32_t values;

  std::vector<double> beliefs(std::size_t row, bool by_cell) const {
    std::vector<double> share(values, 0), base(values, 0), cell(values, 0);
    double all = 0, in_base = 0, in_cell = 0;
    for (std::size_t i = 0; i < hidden.size(); ++i) {
      if (hidden[i] == values) continue;
      ++share[hidden[i]];
      ++all;
      if (i == row || outer[i] != outer[row]) continue;
      ++base[hidden[i]];
      ++in_base;
      if (inner[i] != inner[row]) continue;
      ++cell[hidden[i]];
      ++in_cell;
    }
    for (std::uint32_t v = 0; v < values; ++v) {
      base[v] = (base[v] + share[v] / all) / (in_base + 1);
      cell[v] = (cell[v] + base[v]) / (in_cell + 1);
    }
    return by_cell ? cell : base;
  }
};

TEST(HeldOutGuesses, AgreeWithLeavingOutEachRow) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    std::uint32_t values = 2 + static_cast<std::uint32_t>(rng.below(4));
    std::uint32_t cells = 1 + static_cast<std::uint32_t>(rng.below(30));
    Coded outer = drawn(120, [&](auto) { return rng.below(3); });
    Coded inner = drawn(120, [&](auto) { return rng.below(cells); });
    Coded hidden = drawn(120, [&](auto i) {
      return rng.below(3) == 0 ? rng.below(values + 1) : (inner[i] + outer[i]) % values;
    });
    Plain plain{outer, inner, hidden, values};
    std::uint64_t right = 0, without = 0, guesses = 0, right_guesses = 0;
    double chance = 0;
    auto is_best = [](const std::vector<double>& beliefs, std::uint16_t value) {
      for (std::size_t v = 0; v < beliefs.size(); ++v) {
        if (v != value && beliefs[v] >= beliefs[value] - 1e-9) return false;
      }
      return true;
    };
    for (std::size_t row = 0; row < hidden.size(); ++row) {
      if (hidden[row] == values) continue;
      auto before = plain.beliefs(row, false), after = plain.beliefs(row, true);
      without += is_best(before, hidden[row]) ? 1 : 0;
      right += is_best(after, hidden[row]) ? 1 : 0;
      double best = 1.0 / 3;
      std::optional<std::uint32_t> guess;
      for (std::uint32_t v = 0; v < values; ++v) {
        double gain = (after[v] - before[v]) / (1 - before[v]);
        if (before[v] < likely_anyway && gain > best + 1e-12) best = gain, guess = v;
      }
      if (!guess) continue;
      ++guesses;
      right_guesses += *guess == hidden[row] ? 1 : 0;
      chance += before[*guess];
    }
    Cells base = Cells(120).cut_by(outer, 3);
    HeldOut found = HeldOutGuesses(hidden, values + 1, 3).of(base, base.cut_by(inner, cells));
    Gains gains;
    for (const Gains& some : found.gains) gains.add(some);
    EXPECT_EQ(found.right, right) << seed;
    EXPECT_EQ(found.without, without) << seed;
    EXPECT_EQ(gains.guesses, guesses) << seed;
    EXPECT_NEAR(gains.chance, chance, 1.5) << seed;  // of equal gains, either may be guessed
    EXPECT_NEAR(static_cast<double>(gains.right), static_cast<double>(right_guesses), 3) << seed;
  }
}

}  // namespace
}  // namespace rankveil
