#include "rankveil/audit/joint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "rankveil/base/random.h"
#include "rankveil/base/testing/sanitized.h"

namespace rankveil::audit {
namespace {

// Rows one by one: which vectors fit them, and which they have (row i has vector i).
struct SmallGroup {
  std::vector<std::vector<bool>> fits;
  Edges edges;
  std::vector<Held> held;

  explicit SmallGroup(Rng& rng) {
    auto rows = static_cast<std::uint32_t>(1 + rng.below(6));
    for (std::uint32_t row = 0; row < rows; ++row) {
      auto& own = fits.emplace_back();
      for (std::uint32_t v = 0; v < rows; ++v) own.push_back(v == row || rng.below(3) == 0);
      for (std::uint32_t v = 0; v < rows; ++v) {
        if (own[v]) edges.vectors.push_back(v);
      }
      edges.begin.push_back(edges.vectors.size());
      held.push_back({row, row});
    }
  }

  // For every edge, how many ways to hand out all vectors use it.
  std::vector<std::vector<double>> ways() const {
    std::vector<std::vector<double>> used(fits.size(), std::vector<double>(fits.size(), 0));
    std::vector<std::uint32_t> order(fits.size());
    std::iota(order.begin(), order.end(), 0);
    do {
      bool possible = true;
      for (std::size_t row = 0; row < order.size(); ++row) possible &= fits[row][order[row]];
      if (!possible) continue;
      for (std::size_t row = 0; row < order.size(); ++row) ++used[row][order[row]];
    } while (std::next_permutation(order.begin(), order.end()));
    return used;
  }
};

bool has(const Edges& edges, std::uint32_t one, std::uint32_t vector) {
  auto list = edges.of(one);
  return std::find(list.begin(), list.end(), vector) != list.end();
}

TEST(Joint, KeepsExactlyWhatSomeWayToHandOutVectorsUses) {
  for (std::uint64_t seed = 0; seed < some_of(2000U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    SmallGroup group(rng);
    auto used = group.ways();
    auto rows = static_cast<std::uint32_t>(group.fits.size());
    keep_possible(group.held, rows, group.edges);
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t v = 0; v < rows; ++v) {
        EXPECT_EQ(has(group.edges, row, v), used[row][v] > 0) << row << " " << v;
      }
    }
  }
}

TEST(Joint, CountsEqualRowsAndVectorsTogether) {
  // Two rows that fit vectors 0 and 1, one that fits 0 alone; vector 0 is there twice.
  Edges edges{{0, 2, 3}, {0, 1, 0}};
  std::vector<Held> held = {{0, 0}, {0, 1}, {1, 0}};
  keep_possible(held, 2, edges);
  EXPECT_EQ(edges.vectors, (std::vector<std::uint32_t>{0, 1, 0}));
}

TEST(Joint, BalancedWeightsSumToRowsAndCounts) {
  for (std::uint64_t seed = 0; seed < some_of(300U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    SmallGroup group(rng);
    auto rows = static_cast<std::uint32_t>(group.fits.size());
    keep_possible(group.held, rows, group.edges);
    std::vector<std::uint32_t> ones(rows, 1);
    Balance balance = balanced(group.edges, ones, ones, 2000);
    std::vector<double> by_vector(rows, 0);
    for (std::uint32_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (std::size_t e = group.edges.begin[row]; e < group.edges.begin[row + 1]; ++e) {
        std::uint32_t vector = group.edges.vectors[e];
        double weight = balance.by_class[row] * balance.by_vector[vector];
        sum += weight;
        by_vector[vector] += weight;
      }
      EXPECT_NEAR(sum, 1, 1e-2);
    }
    for (double sum : by_vector) EXPECT_NEAR(sum, 1, 1e-2);
  }
}

TEST(Joint, BalancedWeightsAreTheShareOfWaysWhereAllVectorsFit) {
  Edges edges{{0, 3, 6, 9}, {0, 1, 2, 0, 1, 2, 0, 1, 2}};
  std::vector<std::uint32_t> ones(3, 1);
  Balance balance = balanced(edges, ones, ones);
  for (double row : balance.by_class) {
    for (double vector : balance.by_vector) EXPECT_NEAR(row * vector, 1.0 / 3, 1e-12);
  }
}

}  // namespace
}  // namespace rankveil::audit
