// Work split over threads, with a result that does not depend on how many there are.
#pragma once

#include <cstdint>
#include <functional>

namespace rankveil {

// Runs body(0) ... body(count - 1), each once, on up to `threads` threads (0: all cores). Bodies
// must not touch each other's data. One thread: in order, on the caller. Inside a body, another
// loop shares the threads of this one.
void parallel_for(std::size_t count, std::uint32_t threads,
                  const std::function<void(std::size_t)>& body);

std::uint32_t available_threads();

}  // namespace rankveil
