// Near is what a cache keeps from one query to the next.
#pragma once

#include <atomic>
#include <cstddef>

namespace rankveil {

// A query that reads `far_bytes` will not find them in a cache next time. To look at a single row
// is taken to cost as much as to read `look_bytes`: some 70 ns at 15 GB a second. Tests set both to
// 0, so that small tables are ranked as large ones are.
inline std::atomic<std::size_t> far_bytes{std::size_t{4} << 20};
inline std::atomic<std::size_t> look_bytes{1024};

// Whether so many planes are far.
inline bool are_far(std::size_t planes, std::size_t rows) { return planes * rows / 8 >= far_bytes; }
// Whether to look at so many rows pays where it saves reading so many planes.
inline bool looking_pays(std::size_t looks, std::size_t planes, std::size_t rows) {
  std::size_t bytes = look_bytes;
  return bytes == 0 || looks <= planes * rows / 8 / bytes;
}

}  // namespace rankveil
