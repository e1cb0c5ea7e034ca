#include "rankveil/base/keys/keyed.h"

#include <sodium.h>

#include <cassert>
#include <cstring>
#include <vector>

#include "rankveil/base/keys/keyed_words.h"

namespace rankveil {

namespace {

void start_sodium() {
  static const int started = sodium_init();
  assert(started >= 0 && "libsodium starts on every machine that has a source of randomness");
  static_cast<void>(started);
}

// Lengths stand before the parts, so that no two lists of parts give the same text.
std::string joined(std::string_view first, std::string_view second) {
  std::uint64_t length = first.size();
  std::string all(sizeof(length), '\0');
  std::memcpy(all.data(), &length, sizeof(length));
  return all.append(first).append(second);
}

template <std::size_t size>
SecretBytes<size> derived(const SecretKey& key, std::string_view purpose, std::string_view detail) {
  static_assert(size >= crypto_generichash_BYTES_MIN && size <= crypto_generichash_BYTES_MAX);
  start_sodium();
  SecretBytes<size> hash;
  std::string text = joined(purpose, detail);
  crypto_generichash(hash.data(), size, reinterpret_cast<const unsigned char*>(text.data()),
                     text.size(), key.bytes().data(), SecretKey::size);
  return hash;
}

}  // namespace

SecretKey SecretKey::random() {
  start_sodium();
  Bytes bytes;
  randombytes_buf(bytes.data(), bytes.size());
  return SecretKey(bytes);
}

SecretKey SecretKey::from_seed(std::uint64_t seed) {
  Bytes bytes;
  std::memcpy(bytes.data(), &seed, sizeof(seed));
  return SecretKey(derived<size>(SecretKey(bytes), "key from a seed", {}));
}

std::string SecretKey::fingerprint() const {
  auto hash = derived<16>(*this, "fingerprint", {});
  constexpr std::size_t shown = 8;
  std::string text(2 * shown + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), hash.data(), shown);
  text.pop_back();
  return text;
}

KeyedStream::KeyedStream(const SecretKey& key, std::string_view purpose, std::string_view detail)
    : subkey_(derived<16>(key, purpose, detail)) {
  static_assert(decltype(subkey_)::size() == crypto_shorthash_KEYBYTES);
}

std::uint64_t KeyedStream::number(std::string_view name, std::uint32_t index) const {
  constexpr std::size_t usual = 60;
  unsigned char place[usual + sizeof(index)];
  std::vector<unsigned char> larger;
  unsigned char* text = place;
  if (name.size() > usual) {
    larger.resize(name.size() + sizeof(index));
    text = larger.data();
  }
  if (!name.empty()) std::memcpy(text, name.data(), name.size());
  std::memcpy(text + name.size(), &index, sizeof(index));
  std::uint64_t hash;
  static_assert(sizeof(hash) == crypto_shorthash_BYTES);
  crypto_shorthash(reinterpret_cast<unsigned char*>(&hash), text, name.size() + sizeof(index),
                   subkey_.data());
  return hash;
}

KeyedWords::KeyedWords(const SecretKey& key, std::string_view purpose, std::string_view detail)
    : key_(derived<32>(key, purpose, detail)) {
  static_assert(decltype(key_)::size() == crypto_stream_chacha20_KEYBYTES);
}

void KeyedWords::fill(std::span<std::uint64_t> words) {
  constexpr std::size_t words_of_cipher = 8;
  constexpr unsigned char no_nonce[crypto_stream_chacha20_NONCEBYTES] = {};
  assert(words.size() % words_of_cipher == 0 && "the cipher goes by blocks of eight words");
  std::memset(words.data(), 0, words.size_bytes());
  auto* bytes = reinterpret_cast<unsigned char*>(words.data());
  crypto_stream_chacha20_xor_ic(bytes, bytes, words.size_bytes(), no_nonce, next_block_,
                                key_.data());
  next_block_ += words.size() / words_of_cipher;
}

std::array<std::uint64_t, 2> keyed_hash(const SecretKey& key, std::string_view purpose,
                                        std::string_view text) {
  auto bytes = derived<16>(key, purpose, text);
  std::array<std::uint64_t, 2> hash;
  std::memcpy(hash.data(), bytes.data(), bytes.size());
  return hash;
}

}  // namespace rankveil
