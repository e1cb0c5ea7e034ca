#include "rankveil/table/telling/telling_values.h"

#include <gtest/gtest.h>

#include "rankveil/base/random.h"

namespace rankveil {
namespace {

Attribute attribute_of(const std::string& name, Visibility visibility, std::uint32_t size) {
  std::vector<std::string> values;
  for (std::uint32_t v = 0; v < size; ++v) values.push_back(name + std::to_string(v));
  return {.name = name, .visibility = visibility, .domain = *Domain::of(values)};
}

// Rows of (clinic, diagnosis); -1: missing.
Table clinics(const std::vector<std::pair<int, int>>& rows) {
  Schema schema;
  schema.attributes = {attribute_of("clinic", Visibility::Public, 8),
                       attribute_of("diagnosis", Visibility::Private, 6)};
  std::vector<ValueId> columns[2];
  auto value = [](int code) {
    return code < 0 ? missing_value : ValueId{static_cast<std::uint16_t>(code)};
  };
  for (const auto& [clinic, diagnosis] : rows) {
    columns[0].push_back(value(clinic));
    columns[1].push_back(value(diagnosis));
  }
  return Table(schema, {Column(8, columns[0]), Column(6, columns[1])},
               RowNames(RowNumbers{static_cast<std::uint32_t>(rows.size())}));
}

TEST(TellingValues, NameAClinicOfOneDiagnosis) {
  std::vector<std::pair<int, int>> rows;
  for (int i = 0; i < 1000; ++i) rows.emplace_back(i % 4, i % 5);
  for (int i = 0; i < 25; ++i) rows.emplace_back(4, 5);
  for (int i = 0; i < 20; ++i) rows.emplace_back(5, 5);  // too few to speak
  auto told = telling_values(clinics(rows));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(+told[0].seen_value, 4U);
  EXPECT_EQ(+told[0].told_value, 5U);
  EXPECT_EQ(told[0].rows, 25U);
  EXPECT_EQ(told[0].have, 25U);
  EXPECT_NEAR(told[0].of_table, 45.0 / 1045, 1e-12);
}

TEST(TellingValues, AgreeWithCountingOneByOne) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    std::vector<std::pair<int, int>> rows;
    for (int i = 0; i < 150; ++i) {
      int clinic = static_cast<int>(rng.below(4)) - 1;
      int diagnosis = static_cast<int>(rng.below(rng.below(3) == 0 ? 6 : 2)) - 1;
      rows.emplace_back(clinic, clinic == 0 && rng.below(2) == 0 ? 3 : diagnosis);
    }
    auto l = static_cast<std::uint32_t>(2 + rng.below(4));
    std::size_t expected = 0;
    for (int clinic = 0; clinic < 8; ++clinic) {
      for (int diagnosis = 0; diagnosis < 6; ++diagnosis) {
        double in = 0, both = 0, all = 0;
        for (const auto& [x, y] : rows) {
          in += x == clinic ? 1 : 0;
          all += y == diagnosis ? 1 : 0;
          both += x == clinic && y == diagnosis ? 1 : 0;
        }
        if (in < 21) continue;
        double gain = (both / in - all / 150) / (1 - all / 150);
        expected += gain > 1.0 / l + 1e-9 ? 1 : 0;
      }
    }
    EXPECT_EQ(telling_values(clinics(rows), {.l = l}).size(), expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace rankveil
