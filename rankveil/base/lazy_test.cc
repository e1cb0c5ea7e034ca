#include "rankveil/base/lazy.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace rankveil {
namespace {

// All ask at once, and making it takes long enough for them to meet.
TEST(Lazy, IsMadeOnceWhoeverAsks) {
  for (int round = 0; round < 5; ++round) {
    Lazy<int> lazy;
    std::atomic<int> made = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        int value = lazy.get([&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          return ++made + 41;
        });
        EXPECT_EQ(value, 42);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(made, 1);
  }
}

TEST(Lazy, CopiesShareIt) {
  Lazy<int> lazy;
  Lazy<int> copy = lazy;
  EXPECT_EQ(copy.get([] { return 1; }), 1);
  EXPECT_EQ(lazy.get([] { return 2; }), 1);
}

TEST(Lazy, IsTriedAgainWhereMakingItThrows) {
  Lazy<int> lazy;
  EXPECT_THROW(lazy.get([]() -> int { throw std::runtime_error("not now"); }), std::runtime_error);
  EXPECT_EQ(lazy.get([] { return 3; }), 3);
}

}  // namespace
}  // namespace rankveil
