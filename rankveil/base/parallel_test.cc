#include "rankveil/base/parallel.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace rankveil {
namespace {

TEST(ParallelFor, RunsEveryBodyOnceWhateverTheThreads) {
  for (std::uint32_t threads : {0U, 1U, 2U, 7U, 1000U}) {
    for (std::size_t count : {0U, 1U, 2U, 1000U}) {
      std::vector<int> runs(count, 0);  // plain numbers: a sanitizer sees bodies that collide
      parallel_for(count, threads, [&](std::size_t i) { ++runs[i]; });
      EXPECT_EQ(runs, std::vector<int>(count, 1)) << threads << " threads";
    }
  }
}

TEST(ParallelFor, SeesWhatCameBeforeAndShowsWhatItDid) {
  std::vector<std::size_t> numbers(500);
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::vector<std::size_t> doubled(numbers.size());
  parallel_for(numbers.size(), 0, [&](std::size_t i) { doubled[i] = 2 * numbers[i]; });
  EXPECT_EQ(std::accumulate(doubled.begin(), doubled.end(), std::size_t{0}), 500U * 499U);
}

TEST(ParallelFor, RunsInOrderOnOneThread) {
  std::vector<std::size_t> order;
  parallel_for(5, 1, [&](std::size_t i) { order.push_back(i); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace rankveil
