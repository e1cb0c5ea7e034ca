#include "rankveil/protect/rows/keyed_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rankveil {
namespace {

RowNames numbered(std::int64_t first, std::int64_t count, std::int64_t step = 1) {
  IntegerNames names;
  for (std::int64_t i = 0; i < count; ++i) names.values.push_back(first + i * step);
  return RowNames(std::move(names));
}

std::vector<std::string> ids_in_order(const RowNames& ids, const SecretKey& key) {
  std::vector<std::string> texts;
  for (std::uint32_t row : keyed_order(ids, key)) texts.push_back(ids.text(RowId{row}));
  return texts;
}

TEST(KeyedOrder, HasEveryRowOnce) {
  auto order = keyed_order(numbered(0, 1000), SecretKey::from_seed(1));
  std::ranges::sort(order);
  std::vector<std::uint32_t> all(1000);
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(order, all);
  EXPECT_TRUE(keyed_order(RowNames(), SecretKey::from_seed(1)).empty());
}

TEST(KeyedOrder, HangsOnKeyAndIdAlone) {
  SecretKey key = SecretKey::from_seed(2);
  auto once = ids_in_order(numbered(0, 500), key);
  EXPECT_EQ(once, ids_in_order(numbered(499, 500, -1), key))
      << "the table was sorted the other way";
  EXPECT_NE(once, ids_in_order(numbered(0, 500), SecretKey::from_seed(3)));
  TextNames texts;
  for (int i = 0; i < 500; ++i) {
    texts.bytes += std::to_string(i);
    texts.ends.push_back(texts.bytes.size());
  }
  EXPECT_EQ(once, ids_in_order(RowNames(std::move(texts)), key)) << "an id is its text";
}

TEST(KeyedOrder, KeepsRowsInOrderWhenOthersComeAndGo) {
  SecretKey key = SecretKey::from_seed(4);
  auto before = ids_in_order(numbered(0, 600), key);
  auto after = ids_in_order(numbered(200, 900), key);  // 0 to 199 left, 600 to 1099 came
  std::erase_if(before, [](const std::string& id) { return std::stoi(id) < 200; });
  std::erase_if(after, [](const std::string& id) { return std::stoi(id) >= 600; });
  EXPECT_EQ(before, after);
}

// Of an order that says nothing, ids and places are unrelated: Spearman's rho within 5 sigma of 0.
TEST(KeyedOrder, SaysNothingOfTheOrderOfIds) {
  constexpr std::int64_t rows = 20'000;
  auto order = keyed_order(numbered(1, rows), SecretKey::from_seed(5));
  double sum = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    double distance = static_cast<double>(order[place]) - static_cast<double>(place);
    sum += distance * distance;
  }
  constexpr double n = rows;
  double rho = 1 - 6 * sum / (n * (n * n - 1));
  EXPECT_LT(std::abs(rho), 5 / std::sqrt(n));
}

}  // namespace
}  // namespace rankveil
