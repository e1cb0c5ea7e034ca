#include "rankveil/table/table.h"

#include <gtest/gtest.h>

namespace rankveil {
namespace {

TEST(Table, AddressesValuesByRowAndAttribute) {
  Schema schema;
  schema.attributes = {{"city", Visibility::Public, 1, *Domain::of({"Oslo", "Rome"})},
                       {"religion", Visibility::Private, 1, *Domain::of({"none", "other"})}};
  std::vector<ValueId> cities = {ValueId{1}, ValueId{0}, missing_value};
  std::vector<ValueId> religions = {ValueId{0}, missing_value, ValueId{1}};
  Table table(schema, {Column(2, cities), Column(2, religions)},
              RowNames(IntegerNames{{10, 20, 30}}));
  EXPECT_EQ(table.rows(), 3U);
  EXPECT_EQ(table.bytes(), 6U);
  EXPECT_EQ(table.names().text(RowId{2}), "30");
  for (std::uint32_t row = 0; row < 3; ++row) {
    EXPECT_EQ(table.value(RowId{row}, AttributeId{0}), cities[row]);
    EXPECT_EQ(table.value(RowId{row}, AttributeId{1}), religions[row]);
  }
}

TEST(Table, MayHaveNoRowsAndNoAttributes) {
  EXPECT_EQ(Table().rows(), 0U);
  EXPECT_EQ(Table({}, {}, RowNames(RowNumbers{5})).rows(), 5U);
}

}  // namespace
}  // namespace rankveil
