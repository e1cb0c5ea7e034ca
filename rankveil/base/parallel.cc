#include "rankveil/base/parallel.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

namespace rankveil {

std::uint32_t available_threads() {
  return static_cast<std::uint32_t>(tbb::this_task_arena::max_concurrency());
}

void parallel_for(std::size_t count, std::uint32_t threads,
                  const std::function<void(std::size_t)>& body) {
  if (threads == 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  // TBB orders the work itself. The two counters say so once more, for ThreadSanitizer, which
  // cannot look into TBB: what was done before the loop is seen by all bodies, and theirs after it.
  std::atomic<bool> begun = false;
  std::atomic<std::size_t> ended = 0;
  begun.store(true, std::memory_order_release);
  auto run = [&](std::size_t i) {
    (void)begun.load(std::memory_order_acquire);
    body(i);
    ended.fetch_add(1, std::memory_order_release);
  };
  auto loop = [&] { tbb::parallel_for(std::size_t{0}, count, run, tbb::simple_partitioner{}); };
  std::uint32_t most = available_threads();
  if (threads == 0 || threads >= most) {
    // A loop inside another shares its threads; while it waits, it takes up none of the other's
    // work.
    tbb::this_task_arena::isolate(loop);
  } else {
    tbb::task_arena(static_cast<int>(threads)).execute(loop);
  }
  (void)ended.load(std::memory_order_acquire);
}

}  // namespace rankveil
