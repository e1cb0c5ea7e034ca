#include "rankveil/publish/made_up.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rankveil::publish {
namespace {

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  auto n = static_cast<double>(a.size());
  double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sa += a[i], sb += b[i], saa += a[i] * a[i], sbb += b[i] * b[i], sab += a[i] * b[i];
  }
  return (n * sab - sa * sb) / std::sqrt((n * saa - sa * sa) * (n * sbb - sb * sb));
}

TEST(MadeUp, SpreadsAsItsNameSays) {
  auto neighbours = [](Spread spread) {
    Points points = make_up({.rows = 20'000, .spread = spread});
    return correlation(points.columns[0], points.columns[1]);
  };
  EXPECT_NEAR(neighbours(Spread::Uniform), 0, 0.03);
  EXPECT_GT(neighbours(Spread::Correlated), 0.4);
  EXPECT_LT(neighbours(Spread::AntiCorrelated), -0.2);
}

TEST(MadeUp, ABiggerTableBeginsWithTheSmallerOne) {
  for (Spread spread : {Spread::Uniform, Spread::Correlated, Spread::AntiCorrelated}) {
    Points small = make_up({.rows = 10, .spread = spread});
    Points big = make_up({.rows = 1000, .spread = spread});
    for (Row row = 0; row < 10; ++row) EXPECT_EQ(small.scores[row], big.scores[row]);
    EXPECT_NE(make_up({.rows = 10, .spread = spread, .seed = 2}).scores, small.scores);
    for (const auto& column : big.columns) {
      for (double number : column) EXPECT_TRUE(number >= 0 && number <= 1);
    }
  }
}

TEST(MadeUp, NamesGoBothWays) {
  for (Spread spread : {Spread::Uniform, Spread::Correlated, Spread::AntiCorrelated}) {
    EXPECT_EQ(spread_from_name(spread_name(spread)), spread);
  }
  EXPECT_FALSE(spread_from_name("even"));
}

}  // namespace
}  // namespace rankveil::publish
