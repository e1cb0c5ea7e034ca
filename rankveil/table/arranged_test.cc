#include "rankveil/table/arranged.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Table three_rows(RowNames names) {
  Schema schema;
  schema.attributes.push_back({.name = "city", .domain = *Domain::of({"Oslo", "Rome"})});
  std::vector<std::string> many;
  for (int i = 0; i < 300; ++i) many.push_back(fmt::format("v{}", i));
  schema.attributes.push_back(
      {.name = "pay", .visibility = Visibility::Private, .domain = *Domain::of(many)});
  std::vector<Column> columns = {
      Column(2, std::vector<ValueId>{ValueId{0}, missing_value, ValueId{1}}),
      Column(300, std::vector<ValueId>{ValueId{7}, ValueId{299}, missing_value})};
  return Table(schema, columns, std::move(names));
}

std::vector<std::string> rows_of(const Table& table) {
  std::vector<std::string> rows;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    auto value = [&](std::uint32_t attribute) {
      ValueId id = table.value(RowId{row}, AttributeId{attribute});
      return id == missing_value ? "-" : table.schema()[AttributeId{attribute}].domain.text(id);
    };
    rows.push_back(fmt::format("{} {} {}", table.names().text(RowId{row}), value(0), value(1)));
  }
  return rows;
}

TEST(Arranged, MovesValuesAndNamesTogether) {
  const std::vector<std::uint32_t> order = {2, 0, 1};
  EXPECT_THAT(rows_of(arranged(three_rows(RowNames(IntegerNames{{10, 20, 30}})), order)),
              ElementsAre("30 Rome -", "10 Oslo v7", "20 - v299"));
  EXPECT_THAT(rows_of(arranged(three_rows(RowNames(TextNames{"annbobeve", {3, 6, 9}})), order)),
              ElementsAre("eve Rome -", "ann Oslo v7", "bob - v299"));
}

TEST(Arranged, LetsRowsKeepTheirNumbersAsNames) {
  const std::vector<std::uint32_t> order = {1, 2, 0};
  EXPECT_THAT(rows_of(arranged(three_rows(RowNames(RowNumbers{3})), order)),
              ElementsAre("1 - v299", "2 Rome -", "0 Oslo v7"));
}

TEST(Arranged, MovesWhatRowsHaveBesides) {
  const std::vector<std::uint32_t> order = {1, 2, 0};
  EXPECT_THAT(arranged(std::vector<int>{4, 5, 6}, order), ElementsAre(5, 6, 4));
  EXPECT_THAT(arranged(std::vector<int>{}, order), IsEmpty());
}

}  // namespace
}  // namespace rankveil
