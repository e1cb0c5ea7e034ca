// A long stream of random words that only the key's holder can make again (ChaCha20): for draws
// that come by the million. For one draw a name, see keyed.h.
//
//   KeyedWords words(key, "fitted swap", "religion");
//   words.fill(block);
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "rankveil/base/keys/keyed.h"

namespace rankveil {

class KeyedWords {
 public:
  KeyedWords(const SecretKey& key, std::string_view purpose, std::string_view detail);

  // The next words of the stream, in multiples of eight. The bytes of a word are those of the
  // cipher, lowest first. REQUIRES: a multiple of eight words.
  void fill(std::span<std::uint64_t> words);

 private:
  SecretBytes<32> key_;
  std::uint64_t next_block_ = 0;
};

}  // namespace rankveil
