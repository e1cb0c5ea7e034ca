#include "rankveil/base/aligned_words.h"

#include <sys/mman.h>

#include <cstring>
#include <new>
#include <utility>

namespace rankveil {

namespace {

// From here on pages of their own pay, and huge ones may. Short queries of small tables need many
// few words, and would wait for the system to give and take them.
constexpr std::size_t min_paged = std::size_t{1} << 18;
constexpr std::align_val_t cache_line{64};

void* take_pages(std::size_t bytes) {
  void* start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  ::madvise(start, bytes, MADV_HUGEPAGE);
  return start;
}

}  // namespace

AlignedWords::AlignedWords(std::size_t count) {
  if (count == 0) return;
  std::size_t bytes = count * sizeof(std::uint64_t);
  bool paged = bytes >= min_paged;
  void* start = paged ? take_pages(bytes) : ::operator new(bytes, cache_line);
  if (!paged) std::memset(start, 0, bytes);
  words_ = {static_cast<std::uint64_t*>(start), count};
}

AlignedWords::~AlignedWords() {
  if (words_.size_bytes() >= min_paged) {
    ::munmap(words_.data(), words_.size_bytes());
  } else {
    ::operator delete(words_.data(), cache_line);
  }
}

AlignedWords::AlignedWords(AlignedWords&& other) noexcept
    : words_(std::exchange(other.words_, {})) {}

AlignedWords& AlignedWords::operator=(AlignedWords&& other) noexcept {
  std::swap(words_, other.words_);
  return *this;
}

}  // namespace rankveil
