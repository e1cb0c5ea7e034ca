// Bytes that do not outlive their holder: overwritten with zeros when it goes, in every copy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rankveil {

// Writes zeros that no compiler leaves out as never read.
void wipe(void* bytes, std::size_t count);

// `count` bytes, zero at first.
template <std::size_t count>
class SecretBytes {
 public:
  SecretBytes() = default;
  SecretBytes(const SecretBytes&) = default;
  SecretBytes& operator=(const SecretBytes&) = default;
  ~SecretBytes() { wipe(bytes_.data(), count); }

  static constexpr std::size_t size() { return count; }
  std::uint8_t* data() { return bytes_.data(); }
  const std::uint8_t* data() const { return bytes_.data(); }
  std::uint8_t& operator[](std::size_t i) { return bytes_[i]; }
  std::uint8_t operator[](std::size_t i) const { return bytes_[i]; }
  const std::uint8_t* begin() const { return bytes_.data(); }
  const std::uint8_t* end() const { return bytes_.data() + count; }
  bool operator==(const SecretBytes&) const = default;

 private:
  std::array<std::uint8_t, count> bytes_{};
};

}  // namespace rankveil
