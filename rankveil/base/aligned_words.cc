#include "rankveil/base/aligned_words.h"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace rankveil {

AlignedWords::AlignedWords(std::size_t count) {
  if (count == 0) return;
  std::size_t bytes = count * sizeof(std::uint64_t);
  void* start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  ::madvise(start, bytes, MADV_HUGEPAGE);
  words_ = {static_cast<std::uint64_t*>(start), count};
}

AlignedWords::~AlignedWords() {
  if (!words_.empty()) ::munmap(words_.data(), words_.size_bytes());
}

AlignedWords::AlignedWords(AlignedWords&& other) noexcept
    : words_(std::exchange(other.words_, {})) {}

AlignedWords& AlignedWords::operator=(AlignedWords&& other) noexcept {
  std::swap(words_, other.words_);
  return *this;
}

}  // namespace rankveil
