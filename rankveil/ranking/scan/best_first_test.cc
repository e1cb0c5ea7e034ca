#include "rankveil/ranking/scan/best_first.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/base/random.h"
#include "rankveil/base/testing/sanitized.h"

namespace rankveil {
namespace {

std::vector<Hit> sorted_best(std::vector<Hit> hits, std::uint32_t k) {
  std::sort(hits.begin(), hits.end(), ranks_before);
  if (hits.size() > k) hits.resize(k);
  return hits;
}

std::int64_t some_score(Rng& rng, std::uint64_t kind) {
  auto any = static_cast<std::int64_t>(rng());
  switch (kind) {
    case 0:
      return any;  // all there are
    case 1:
      return static_cast<std::int64_t>(rng.below(5));  // full of ties
    case 2:
      return 7;  // one tie
    case 3:
      return rng.below(50) == 0 ? any : 3 + rng.below(9);  // a few far off
    default:
      return (std::int64_t{1} << 40) + static_cast<std::int64_t>(rng.below(100'000));
  }
}

TEST(KeepBest, IsWhatSortingGives) {
  for (std::uint64_t seed = 0; seed < some_of(2000U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Rng rng(seed);
    std::size_t size = rng.below(seed % 50 == 0 ? 6000 : seed % 2 == 0 ? 60 : 600);
    if (seed % 7 == 0) size = 30 + seed % 5;
    if (seed % 11 == 0) size = 998 + seed % 5;
    std::vector<Hit> hits;
    for (std::uint32_t row = 0; row < size; ++row) {
      hits.push_back({RowId{row}, some_score(rng, seed % 5)});
    }
    for (std::size_t i = size; i > 1; --i) std::swap(hits[i - 1], hits[rng.below(i)]);
    for (std::uint32_t k : {0U, 1U, 10U, 100U, 10'000U}) {
      std::vector<Hit> kept = hits;
      keep_best(kept, k);
      ASSERT_EQ(kept, sorted_best(hits, k)) << "k " << k;
    }
  }
}

TEST(KeepBest, TakesTheLeastAndTheLargestScore) {
  std::vector<Hit> hits;
  for (std::uint32_t row = 0; row < 100; ++row) {
    hits.push_back({RowId{row}, row % 3 == 0 ? INT64_MIN : row % 3 == 1 ? INT64_MAX : 0});
  }
  std::vector<Hit> kept = hits;
  keep_best(kept, 60);
  EXPECT_EQ(kept, sorted_best(hits, 60));
}

}  // namespace
}  // namespace rankveil
