#include "rankveil/base/parallel.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

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
  std::uint32_t most = available_threads();
  tbb::task_arena arena(static_cast<int>(threads == 0 ? most : std::min(threads, most)));
  arena.execute([&] {
    tbb::parallel_for(
        std::size_t{0}, count, [&](std::size_t i) { body(i); }, tbb::simple_partitioner{});
  });
}

}  // namespace rankveil
