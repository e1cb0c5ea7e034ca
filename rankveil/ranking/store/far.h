// Near is what a cache keeps from one query to the next.
#pragma once

#include <cstddef>

namespace rankveil {

// What reading costs. An index keeps it, and every plan for that index goes by it.
struct Memory {
  // What a query of this many bytes reads is no longer in a cache when the next one comes.
  std::size_t far_bytes = std::size_t{4} << 20;
  // Looking at a single row costs as much as reading this many bytes: 70 ns at 15 GB a second.
  std::size_t look_bytes = 1024;

  // Whether so many planes are far.
  bool is_far(std::size_t planes, std::size_t rows) const { return planes * rows / 8 >= far_bytes; }
  // Whether to look at so many rows pays where it saves reading so many planes.
  bool looking_pays(std::size_t looks, std::size_t planes, std::size_t rows) const {
    return look_bytes == 0 || looks <= planes * rows / 8 / look_bytes;
  }
};

}  // namespace rankveil
