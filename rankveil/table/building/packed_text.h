// Text of any length in 16 bytes, as column stores hand it over: short text lies inside.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace rankveil {

// Up to 12 bytes lie in the object itself, the unused ones zero; of longer text the first four
// do, and the last eight are its address. Hence two short texts are equal when their 16 bytes are.
// Does not own what it points at.
class PackedText {
 public:
  static constexpr std::size_t longest_inside = 12;

  PackedText() = default;
  PackedText(std::string_view text)  // NOLINT: implicit
      : size_(static_cast<std::uint32_t>(text.size())) {
    if (lies_inside()) {
      std::memcpy(bytes_, text.data(), text.size());
    } else {
      const char* address = text.data();
      std::memcpy(bytes_, address, 4);
      std::memcpy(bytes_ + 4, &address, sizeof address);
    }
  }

  std::uint32_t size() const { return size_; }
  bool lies_inside() const { return size_ <= longest_inside; }
  // Valid as long as this object and what it points at.
  std::string_view view() const { return {lies_inside() ? bytes_ : outside(), size_}; }

  // The first and last 8 of the 16 bytes.
  std::uint64_t first_half() const { return half(0); }
  std::uint64_t last_half() const { return half(8); }

 private:
  const char* outside() const {
    const char* address;
    std::memcpy(&address, bytes_ + 4, sizeof address);
    return address;
  }
  std::uint64_t half(std::size_t offset) const {
    std::uint64_t word;
    std::memcpy(&word, reinterpret_cast<const char*>(this) + offset, sizeof word);
    return word;
  }

  std::uint32_t size_ = 0;
  char bytes_[12] = {};
};

static_assert(sizeof(PackedText) == 16 && sizeof(const char*) == 8);

// Which rows of a chunk have a value: a bit a row, lowest first; null: all of them.
class Presence {
 public:
  Presence() = default;
  explicit Presence(const std::uint64_t* bits) : bits_(bits) {}

  bool everywhere() const { return bits_ == nullptr; }
  bool operator[](std::size_t row) const {
    return bits_ == nullptr || ((bits_[row / 64] >> (row % 64)) & 1) != 0;
  }

 private:
  const std::uint64_t* bits_ = nullptr;
};

}  // namespace rankveil
