// Zeroed 64-bit words on a cache-line boundary, in huge pages where the system gives them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rankveil {

class AlignedWords {
 public:
  AlignedWords() = default;
  explicit AlignedWords(std::size_t count);
  ~AlignedWords();
  AlignedWords(AlignedWords&& other) noexcept;
  AlignedWords& operator=(AlignedWords&& other) noexcept;

  std::uint64_t* data() { return words_.data(); }
  const std::uint64_t* data() const { return words_.data(); }
  std::size_t size() const { return words_.size(); }

 private:
  std::span<std::uint64_t> words_;
};

}  // namespace rankveil
