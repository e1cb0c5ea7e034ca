#include "rankveil/table/column.h"

#include <gtest/gtest.h>

#include "rankveil/base/random.h"

namespace rankveil {
namespace {

std::vector<ValueId> random_values(Rng& rng, std::uint32_t domain_size, bool some_missing) {
  std::vector<ValueId> values(1 + rng.below(200));
  for (ValueId& value : values) value = ValueId{static_cast<std::uint16_t>(rng.below(domain_size))};
  if (some_missing) values[rng.below(values.size())] = missing_value;
  return values;
}

TEST(Column, GivesBackTheValuesItWasMadeOf) {
  for (std::uint32_t domain_size : {1U, 2U, 255U, 256U, 257U, 65534U, 65535U}) {
    for (bool some_missing : {false, true}) {
      Rng rng(domain_size);
      auto values = random_values(rng, domain_size, some_missing);
      Column column(domain_size, values);
      ASSERT_EQ(column.size(), values.size());
      for (std::uint32_t row = 0; row < values.size(); ++row) {
        ASSERT_EQ(column.value(RowId{row}), values[row]) << domain_size << " row " << row;
      }
    }
  }
}

TEST(Column, TakesAByteARowWhereTheDomainAllows) {
  auto bytes = [](std::uint32_t domain_size, std::vector<ValueId> values) {
    return Column(domain_size, values).bytes();
  };
  EXPECT_EQ(bytes(256, {ValueId{255}}), 1U);
  EXPECT_EQ(bytes(256, {ValueId{255}, missing_value}), 4U);
  EXPECT_EQ(bytes(255, {ValueId{254}, missing_value}), 2U);
  EXPECT_EQ(bytes(257, {ValueId{0}}), 2U);
}

TEST(Column, VisitsOnlyRowsWithAValue) {
  std::vector<ValueId> values = {ValueId{1}, missing_value, ValueId{0}};
  std::vector<std::pair<std::size_t, std::uint32_t>> visited;
  Column(2, values).for_each(
      [&](std::size_t row, std::uint32_t code) { visited.emplace_back(row, code); });
  EXPECT_EQ(visited, (std::vector<std::pair<std::size_t, std::uint32_t>>{{0, 1}, {2, 0}}));
}

TEST(Column, MayBeEmpty) {
  EXPECT_EQ(Column().size(), 0U);
  EXPECT_EQ(Column(3, std::vector<ValueId>()).bytes(), 0U);
}

}  // namespace
}  // namespace rankveil
