// Zeroed bytes on huge pages where the system gives them: the hint our engine uses, so that the
// fast scan and the bandwidth measurement have it too.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace rankveil::versus {

class HugeBuffer {
 public:
  HugeBuffer() = default;
  explicit HugeBuffer(std::size_t size) : size_(size) {
    constexpr std::size_t page = std::size_t{1} << 21;
    std::size_t rounded = (size + page - 1) / page * page;
    bytes_.reset(static_cast<std::uint8_t*>(std::aligned_alloc(page, rounded)));
    if (bytes_ == nullptr) throw std::bad_alloc();
    madvise(bytes_.get(), rounded, MADV_HUGEPAGE);
    std::memset(bytes_.get(), 0, rounded);
  }

  std::uint8_t* data() { return bytes_.get(); }
  const std::uint8_t* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::uint8_t[], Free> bytes_;
  std::size_t size_ = 0;
};

}  // namespace rankveil::versus
