// A secret key, and random numbers that only its holder can make again.
//
//   KeyedStream coins(key, "swap coin");
//   bool keeps = coins.uniform("alice") < 1.0 / 3;
//
// The same key, purpose, detail, name and index give the same number for ever, in any order and on
// any thread. Without the key nobody can tell the numbers from chance. Keys and streams are wiped
// from memory when they go.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "rankveil/base/keys/secret_bytes.h"
#include "rankveil/base/result.h"

namespace rankveil {

class SecretKey {
 public:
  static constexpr std::size_t size = 32;
  using Bytes = SecretBytes<size>;

  explicit SecretKey(const Bytes& bytes) : bytes_(bytes) {}
  // From the system's source of randomness.
  static SecretKey random();
  // For tests and experiments that must repeat: whoever knows the seed knows the key.
  static SecretKey from_seed(std::uint64_t seed);

  const Bytes& bytes() const { return bytes_; }
  // Tells keys apart and gives nothing away: 16 hexadecimal digits of a keyed hash.
  std::string fingerprint() const;

 private:
  Bytes bytes_;
};

class KeyedStream {
 public:
  // `purpose` keeps uses of one key apart; `detail` is what a use is about, e.g. an attribute.
  KeyedStream(const SecretKey& key, std::string_view purpose, std::string_view detail = {});

  std::uint64_t number(std::string_view name, std::uint32_t index = 0) const;
  // In [0, 1).
  double uniform(std::string_view name, std::uint32_t index = 0) const {
    return static_cast<double>(number(name, index) >> 11) * 0x1.0p-53;
  }
  // In [0, bound). REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound, std::string_view name, std::uint32_t index = 0) const {
    return static_cast<std::uint64_t>(
        (static_cast<unsigned __int128>(number(name, index)) * bound) >> 64);
  }

 private:
  SecretBytes<16> subkey_;
};

// A keyed hash of `text`, 128 bits: equal texts can be told by the key's holder and nobody else.
std::array<std::uint64_t, 2> keyed_hash(const SecretKey& key, std::string_view purpose,
                                        std::string_view text);

}  // namespace rankveil
