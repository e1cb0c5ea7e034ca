#include "rankveil/audit/dense_weights.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "rankveil/audit/testing/random_columns.h"
#include "rankveil/base/testing/sanitized.h"

namespace rankveil::audit {
namespace {

using testing_support::all_of;
using testing_support::plain_weight;
using testing_support::RandomColumns;

using Told = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>>;

// By class and attribute; cut in the middle, as threads would.
Told told_by(const DenseWeights& weights, std::uint32_t classes) {
  Told told;
  auto visit = [&](std::uint32_t one, std::uint32_t attribute, std::span<const double> sums) {
    bool is_new = told.try_emplace({one, attribute}, sums.begin(), sums.end()).second;
    EXPECT_TRUE(is_new) << "class " << one << ", attribute " << attribute;
  };
  for (std::uint32_t half = 0; half < DenseWeights::halves; ++half) {
    weights.run(half, 0, classes / 2, visit);
    weights.run(half, classes / 2, classes, visit);
  }
  return told;
}

void expect_as_defined(const RandomColumns& group) {
  ClassList classes = classes_of(group.columns, all_of(group.prior.rows));
  DenseWeights weights(group.prior, group.columns, classes);
  Told told = told_by(weights, classes.count());
  ASSERT_EQ(told.size(), std::size_t{classes.count()} * group.prior.width);
  for (const auto& [which, sums] : told) {
    auto [one, attribute] = which;
    std::vector<double> plain(sums.size(), 0);
    for (std::uint32_t v = 0; v < group.prior.vectors(); ++v) {
      double weight = plain_weight(group, classes, one, v);
      plain[group.prior.place(v, attribute)] += weight;
      EXPECT_DOUBLE_EQ(weights.weight(one, v), weight);
    }
    double all = std::accumulate(plain.begin(), plain.end(), 0.0);
    for (std::size_t x = 0; x < plain.size(); ++x) EXPECT_NEAR(sums[x], plain[x], 1e-12 * all);
  }
}

TEST(DenseWeights, AreSumsOverAllVectorsForAnyNumberOfAttributes) {
  for (std::uint64_t seed = 0; seed < some_of(120U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto width = static_cast<std::uint32_t>(1 + seed % 7);
    auto rows = static_cast<std::uint32_t>(1 + rng.below(60));
    expect_as_defined(RandomColumns(rng, width, rows, /*releases=*/1, /*zeros=*/0));
  }
}

TEST(DenseWeights, CountEveryRelease) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    auto width = static_cast<std::uint32_t>(1 + seed % 4);
    expect_as_defined(RandomColumns(rng, width, 30, /*releases=*/3, /*zeros=*/0));
  }
}

}  // namespace
}  // namespace rankveil::audit
