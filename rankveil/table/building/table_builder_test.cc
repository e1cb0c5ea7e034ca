#include "rankveil/table/building/table_builder.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Rows = std::vector<std::vector<std::string>>;

Status feed(TableBuilder& builder, const std::vector<std::string>& names, const Rows& rows) {
  for (std::size_t input = 0; input < builder.inputs().size(); ++input) {
    auto name = std::find(names.begin(), names.end(), builder.inputs()[input].name);
    auto column = static_cast<std::size_t>(name - names.begin());
    std::vector<PackedText> texts;
    for (const auto& row : rows) texts.emplace_back(std::string_view(row[column]));
    if (auto added = builder.add(input, texts, Presence()); !added) return added;
  }
  return {};
}

Result<BuiltTable> build(const Policy& policy, const std::vector<std::string>& names,
                         const Rows& rows) {
  auto builder = TableBuilder::create(policy, names);
  if (!builder) return builder.error();
  if (auto fed = feed(*builder, names, rows); !fed) return fed.error();
  return std::move(*builder).finish();
}

Policy policy_of(std::vector<ColumnPolicy> columns) {
  Policy policy;
  policy.columns = std::move(columns);
  return policy;
}

// A table of one column called x.
Result<BuiltTable> build_x(ColumnPolicy x, const std::vector<std::string>& values) {
  x.name = "x";
  Rows rows;
  for (const std::string& value : values) rows.push_back({value});
  return build(policy_of({x}), {"x"}, rows);
}

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(fmt::format("v{}", i));
  return values;
}

std::vector<std::string> texts_of(const Table& table, std::uint32_t attribute) {
  std::vector<std::string> texts;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    ValueId value = table.value(RowId{row}, AttributeId{attribute});
    texts.push_back(
        value == missing_value ? "" : table.schema().attributes[attribute].domain.text(value));
  }
  return texts;
}

std::string refusal(const Result<BuiltTable>& built) {
  return built ? "nothing was refused" : built.error().message;
}

TEST(TableBuilder, PutsPublicAttributesFirstAndKeepsTheSourcesOrder) {
  auto policy = policy_of({{"d", Role::Public},
                           {"a", Role::Private},
                           {"b", Role::Public, 2.5},
                           {"c", Role::Private},
                           {"id", Role::Id}});
  auto built = build(policy, {"a", "b", "c", "id", "d"},
                     {{"1", "x", "p", "7", "u"}, {"2", "y", "q", "3", "v"}});
  ASSERT_TRUE(built) << refusal(built);
  const Schema& schema = built->table.schema();
  std::vector<std::string> names;
  for (const auto& attribute : schema.attributes) names.push_back(attribute.name);
  EXPECT_THAT(names, ElementsAre("b", "d", "a", "c"));
  EXPECT_EQ(schema.public_count(), 2u);
  EXPECT_EQ(schema.attributes[0].weight, 2.5);
  EXPECT_EQ(schema.id_name, "id");
  EXPECT_EQ(built->table.names().text(RowId{1}), "3");
  EXPECT_THAT(texts_of(built->table, 0), ElementsAre("x", "y"));
  EXPECT_THAT(texts_of(built->table, 3), ElementsAre("p", "q"));
}

TEST(TableBuilder, AsksOnlyForColumnsWithARoleAndWarnsOfTheOthers) {
  auto policy = policy_of({{"a", Role::Public}, {"b", Role::Ignored}});
  auto builder = TableBuilder::create(policy, std::vector<std::string>{"a", "b", "c", "d"});
  ASSERT_TRUE(builder);
  ASSERT_EQ(builder->inputs().size(), 1u);
  EXPECT_EQ(builder->inputs()[0].name, "a");
  auto built = build(policy, {"a", "b", "c", "d"}, {{"1", "", "", ""}, {"2", "", "", ""}});
  ASSERT_TRUE(built);
  EXPECT_THAT(built->warnings,
              ElementsAre("left out, because the policy does not name them: c, d"));
}

TEST(TableBuilder, WarnsOfNoColumnThatSaysWhoseRowsAre) {
  auto policy = policy_of({{"a", Role::Public}});
  policy.person = "c";
  policy.time = "d";
  policy.consent = "e";
  policy.established = EstablishedRule{.column = "f", .is = "yes"};
  auto builder =
      TableBuilder::create(policy, std::vector<std::string>{"a", "c", "d", "e", "f", "g"});
  ASSERT_TRUE(builder);
  auto built = build(policy, {"a", "c", "d", "e", "f", "g"},
                     {{"1", "", "", "", "", ""}, {"2", "", "", "", "", ""}});
  ASSERT_TRUE(built);
  EXPECT_THAT(built->warnings, ElementsAre("left out, because the policy does not name them: g"));
}

TEST(TableBuilder, OrdersAnUndeclaredDomainNaturally) {
  auto built = build_x({.role = Role::Public}, {"b", "10", "9", "", "a", "b", "-1.5"});
  ASSERT_TRUE(built) << refusal(built);
  EXPECT_THAT(built->table.schema().attributes[0].domain.values(),
              ElementsAre("-1.5", "9", "10", "a", "b"));
  EXPECT_THAT(texts_of(built->table, 0), ElementsAre("b", "10", "9", "", "a", "b", "-1.5"));
}

TEST(TableBuilder, KeepsADeclaredOrderAndWarnsOfUnusedValues) {
  auto built = build_x({.role = Role::Private, .domain = {"low", "mid", "high"}},
                       {"high", "low", "", "low"});
  ASSERT_TRUE(built) << refusal(built);
  EXPECT_THAT(built->table.schema().attributes[0].domain.values(),
              ElementsAre("low", "mid", "high"));
  EXPECT_THAT(texts_of(built->table, 0), ElementsAre("high", "low", "", "low"));
  EXPECT_THAT(built->warnings, ElementsAre("no row has x \"mid\""));
}

TEST(TableBuilder, RefusesAValueOutsideADeclaredDomain) {
  auto built = build_x({.role = Role::Public, .domain = {"low", "high"}}, {"low", "hihg"});
  EXPECT_THAT(refusal(built), HasSubstr("x is \"hihg\" in row 2, which its declared domain lacks"));
}

TEST(TableBuilder, RefusesToSpareValuesThatAreNotThere) {
  ColumnPolicy x{.role = Role::Private, .not_sensitive = {"no"}};
  EXPECT_TRUE(build_x(x, {"no", "yes", "no"}));
  auto unknown = build_x(x, {"never", "yes"});
  EXPECT_THAT(refusal(unknown), HasSubstr("x has no value \"no\", which its not_sensitive names"));
  EXPECT_THAT(refusal(unknown), testing::Not(HasSubstr("never")));
  x.not_sensitive = {"no", "yes"};
  EXPECT_THAT(refusal(build_x(x, {"no", "yes"})), HasSubstr("nothing to protect"));
}

TEST(TableBuilder, RefusesPrivateValuesWithoutShowingThem) {
  auto outside = build_x({.role = Role::Private, .domain = {"low", "high"}}, {"low", "secret"});
  EXPECT_THAT(refusal(outside), HasSubstr("x has a value in row 2 that its declared domain lacks"));
  auto text = build_x({.role = Role::Private, .bins = Quantiles{2}}, {"1", "2", "secret"});
  EXPECT_THAT(refusal(text), HasSubstr("x is binned, but the value in row 3 is no number"));
  auto one = build_x({.role = Role::Private}, {"secret", "secret"});
  EXPECT_THAT(refusal(one), HasSubstr("x has one value only, so"));
  for (const auto& built : {outside, text, one}) {
    EXPECT_THAT(refusal(built), Not(HasSubstr("secret")));
  }
}

TEST(TableBuilder, UsesAByteForUpTo256Values) {
  for (std::size_t size : {2u, 254u, 255u, 256u, 257u, 300u, 1000u}) {
    SCOPED_TRACE(size);
    auto values = numbered(size);
    values.push_back(values.front());
    auto built = build_x({.role = Role::Public}, values);
    ASSERT_TRUE(built) << refusal(built);
    const Column& column = built->table.column(AttributeId{0});
    EXPECT_EQ(column.is_narrow(), size <= 256);
    EXPECT_EQ(column.domain_size(), size);
    EXPECT_EQ(texts_of(built->table, 0), values);
  }
}

TEST(TableBuilder, CountsAMissingValueInWhatFitsAByte) {
  for (std::size_t size : {254u, 255u, 256u}) {
    SCOPED_TRACE(size);
    auto values = numbered(size);
    values.insert(values.begin(), "");
    auto built = build_x({.role = Role::Public}, values);
    ASSERT_TRUE(built) << refusal(built);
    EXPECT_EQ(built->table.column(AttributeId{0}).is_narrow(), size <= 255);
    EXPECT_EQ(texts_of(built->table, 0), values);
  }
}

TEST(TableBuilder, Takes65535ValuesAndRefusesMore) {
  auto values = numbered(65'535);
  auto built = build_x({.role = Role::Public}, values);
  ASSERT_TRUE(built) << refusal(built);
  EXPECT_EQ(texts_of(built->table, 0), values);
  EXPECT_THAT(refusal(build_x({.role = Role::Public}, numbered(70'000))),
              HasSubstr("x has more than 65,535 different values"));
}

TEST(TableBuilder, WidensBetweenAndWithinChunks) {
  auto policy = policy_of({{"x", Role::Public}});
  auto builder = TableBuilder::create(policy, std::vector<std::string>{"x"});
  ASSERT_TRUE(builder);
  auto values = numbered(700);
  values[3] = "";
  for (std::size_t start = 0; start < values.size(); start += 100) {
    std::vector<PackedText> chunk;
    for (std::size_t i = 0; i < 100; ++i) chunk.emplace_back(std::string_view(values[start + i]));
    ASSERT_TRUE(builder->add(0, chunk, Presence()));
  }
  auto built = std::move(*builder).finish();
  ASSERT_TRUE(built) << refusal(built);
  EXPECT_EQ(texts_of(built->table, 0), values);
}

TEST(TableBuilder, TakesRowsWithoutAPresenceBitAsMissing) {
  auto builder =
      TableBuilder::create(policy_of({{"x", Role::Public}}), std::vector<std::string>{"x"});
  ASSERT_TRUE(builder);
  std::vector<PackedText> chunk = {std::string_view("a"), std::string_view("never seen"),
                                   std::string_view("b")};
  std::uint64_t bits = 0b101;
  ASSERT_TRUE(builder->add(0, chunk, Presence(&bits)));
  auto built = std::move(*builder).finish();
  ASSERT_TRUE(built) << refusal(built);
  EXPECT_THAT(texts_of(built->table, 0), ElementsAre("a", "", "b"));
}

TEST(TableBuilder, RefusesADomainOfOneValueOrNone) {
  EXPECT_THAT(refusal(build_x({.role = Role::Public}, {"a", "a", ""})),
              HasSubstr("x has one value only, \"a\""));
  EXPECT_THAT(refusal(build_x({.role = Role::Public}, {"", ""})),
              HasSubstr("x has no value in any row"));
}

TEST(TableBuilder, RefusesPrivateColumnsOfNearlyUniqueValues) {
  auto values = numbered(200);
  EXPECT_THAT(refusal(build_x({.role = Role::Private}, values)),
              HasSubstr("x has 200 different values in 200 rows"));
  EXPECT_TRUE(build_x({.role = Role::Public}, values));
  EXPECT_TRUE(build_x({.role = Role::Private, .domain = values}, values));
  auto twice = values;
  twice.insert(twice.end(), values.begin(), values.end());
  EXPECT_TRUE(build_x({.role = Role::Private}, twice));
  EXPECT_TRUE(build_x({.role = Role::Private}, numbered(50)));
}

TEST(TableBuilder, CutsNumbersAtGivenEdges) {
  auto built = build_x({.role = Role::Public, .bins = BinEdges{{18, 25, 99}}},
                       {"17.9", " 18", "", "+24", "2.5e1"});
  ASSERT_TRUE(built) << refusal(built);
  auto values = built->table.schema().attributes[0].domain.values();
  ASSERT_EQ(values.size(), 4u);
  EXPECT_THAT(texts_of(built->table, 0),
              ElementsAre(values[0], values[1], "", values[1], values[2]));
  EXPECT_EQ(built->warnings.size(), 1u);  // nobody is 99 or older
}

TEST(TableBuilder, CutsNumbersIntoEqualWidthsAndQuantiles) {
  std::vector<std::string> numbers;
  for (int i = 0; i < 100; ++i) numbers.push_back(std::to_string(i * i));
  auto even = build_x({.role = Role::Private, .bins = EqualWidth{3}}, numbers);
  auto fair = build_x({.role = Role::Private, .bins = Quantiles{4}}, numbers);
  ASSERT_TRUE(even) << refusal(even);
  ASSERT_TRUE(fair) << refusal(fair);
  auto rows_below = [](const Table& table, std::uint32_t bin) {
    int count = 0;
    table.column(AttributeId{0}).for_each([&](std::size_t, std::uint32_t code) {
      count += code < bin ? 1 : 0;
    });
    return count;
  };
  EXPECT_EQ(rows_below(even->table, 1), 58);  // 57 * 57 < 9801 / 3 < 58 * 58
  EXPECT_EQ(rows_below(fair->table, 2), 50);
}

TEST(TableBuilder, ShowsNobodysNumberInTheBinsOfAPrivateColumn) {
  std::vector<std::string> salaries;
  for (int i = 0; i < 100; ++i) salaries.push_back(fmt::format("{:.2f}", 21017.41 + i * 613.37));
  auto labels = [&](const ColumnPolicy& column) {
    auto built = build_x(column, salaries);
    EXPECT_TRUE(built) << refusal(built);
    return built->table.schema().attributes[0].domain.values();
  };
  EXPECT_THAT(labels({.role = Role::Private, .bins = Quantiles{4}}),
              ElementsAre("<36000", "36000-52000", "52000-67000", ">=67000"));
  EXPECT_THAT(labels({.role = Role::Private, .bins = EqualWidth{3}}),
              ElementsAre("<41000", "41000-62000", ">=62000"));
  EXPECT_THAT(labels({.role = Role::Private, .bins = BinEdges{{40833.23}}}),
              ElementsAre("<40833.23", ">=40833.23"));
  EXPECT_THAT(labels({.role = Role::Public, .bins = Quantiles{2}}),
              ElementsAre("<51685.91", ">=51685.91"));
}

TEST(TableBuilder, TakesNumbersAsNumbersWithNanForMissing) {
  auto builder = TableBuilder::create(policy_of({{"x", Role::Public, 1, {}, Quantiles{2}}}),
                                      std::vector<std::string>{"x"});
  ASSERT_TRUE(builder);
  ASSERT_TRUE(builder->inputs()[0].takes_numbers);
  std::vector<double> numbers = {1, std::nan(""), 3, 77};
  std::uint64_t bits = 0b0111;
  ASSERT_TRUE(builder->add(0, numbers, Presence(&bits)));
  auto built = std::move(*builder).finish();
  ASSERT_TRUE(built) << refusal(built);
  const Column& column = built->table.column(AttributeId{0});
  EXPECT_EQ(column.value(RowId{0}), ValueId{0});
  EXPECT_EQ(column.value(RowId{1}), missing_value);
  EXPECT_EQ(column.value(RowId{2}), ValueId{1});
  EXPECT_EQ(column.value(RowId{3}), missing_value);
}

TEST(TableBuilder, RefusesTextWhereBinsNeedNumbers) {
  for (const char* bad : {"old", "12 years", "nan", "inf", "+-3", "-", "+", "1,5"}) {
    EXPECT_THAT(refusal(build_x({.role = Role::Public, .bins = Quantiles{2}}, {"1", "2", bad})),
                HasSubstr(fmt::format("x is binned, but \"{}\" in row 3 is no number", bad)));
  }
}

TEST(TableBuilder, RefusesBinsBesideADomain) {
  auto built = build_x({.role = Role::Public, .domain = {"1", "2"}, .bins = Quantiles{2}}, {"1"});
  EXPECT_THAT(refusal(built), HasSubstr("both a domain and bins"));
}

TEST(TableBuilder, RefusesAColumnThatTheSourceLacks) {
  auto built = build(policy_of({{"citty", Role::Public}}), {"id", "city"}, {});
  EXPECT_EQ(refusal(built),
            "the policy names a column \"citty\", which is not there; there are id, city");
  EXPECT_TRUE(build(policy_of({{"gone", Role::Ignored}, {"city", Role::Public}}), {"city"},
                    {{"a"}, {"b"}}));
}

TEST(TableBuilder, RefusesToRankByNothing) {
  EXPECT_THAT(refusal(build(policy_of({{"id", Role::Id}}), {"id", "city"}, {})),
              HasSubstr("nothing to rank by"));
}

TEST(TableBuilder, TakesAnEmptyTableWithDeclaredDomains) {
  auto built = build_x({.role = Role::Public, .domain = {"a", "b"}}, {});
  ASSERT_TRUE(built) << refusal(built);
  EXPECT_EQ(built->table.rows(), 0u);
}

// Ids.

Result<BuiltTable> build_ids(const std::vector<std::string>& ids) {
  Rows rows;
  for (std::size_t i = 0; i < ids.size(); ++i) rows.push_back({ids[i], i % 2 == 0 ? "a" : "b"});
  return build(policy_of({{"id", Role::Id}, {"x", Role::Public}}), {"id", "x"}, rows);
}

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    names.push_back(table.names().text(RowId{row}));
  }
  return names;
}

TEST(TableBuilder, KeepsIntegerIdsAsIntegers) {
  auto built = build_ids({"5", "-3", "0", "9223372036854775807"});
  ASSERT_TRUE(built) << refusal(built);
  EXPECT_TRUE(std::holds_alternative<IntegerNames>(built->table.names().kinds()));
  EXPECT_THAT(names_of(built->table), ElementsAre("5", "-3", "0", "9223372036854775807"));
}

TEST(TableBuilder, KeepsTheTextOfIdsThatAreNotPlainIntegers) {
  for (const char* id : {"007", "-0", "+1", "9223372036854775808", "1.0", "ann", " 1", "00", "-"}) {
    SCOPED_TRACE(id);
    auto built = build_ids({"5", id, "6"});
    ASSERT_TRUE(built) << refusal(built);
    EXPECT_TRUE(std::holds_alternative<TextNames>(built->table.names().kinds()));
    EXPECT_THAT(names_of(built->table), ElementsAre("5", id, "6"));
  }
}

TEST(TableBuilder, RefusesRepeatedIdsNamingBothRows) {
  EXPECT_THAT(refusal(build_ids({"1", "8", "2", "8"})),
              HasSubstr("id \"8\" names two rows, 2 and 4"));
  EXPECT_THAT(refusal(build_ids({"ann", "bob", "ann"})),
              HasSubstr("id \"ann\" names two rows, 1 and 3"));
}

TEST(TableBuilder, RefusesMissingIds) {
  EXPECT_THAT(refusal(build_ids({"1", "", "2"})), HasSubstr("row 2 has no id"));
}

TEST(TableBuilder, RefusesTwoIdColumns) {
  auto built = build(policy_of({{"a", Role::Id}, {"b", Role::Id}}), {"a", "b"}, {});
  EXPECT_THAT(refusal(built), HasSubstr("a and b both have the role \"id\""));
}

}  // namespace
}  // namespace rankveil
