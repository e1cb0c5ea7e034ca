// Random words for exchanges, one at a time from a stream that is made in blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rankveil/base/keys/keyed_words.h"

namespace rankveil::fitted {

class WordSource {
 public:
  // `expected`: about how many words will be taken.
  WordSource(const SecretKey& key, std::string_view purpose, std::string_view detail,
             std::uint64_t expected)
      : stream_(key, purpose, detail),
        words_(std::clamp<std::uint64_t>(expected / 8 * 8, 64, max_at_once)),
        next_(words_.size()) {}

  std::uint64_t operator()() {
    if (next_ == words_.size()) refill();
    return words_[next_++];
  }

  // The next words, as many as there is room for.
  void take(std::span<std::uint64_t> room) {
    for (std::uint64_t& word : room) word = (*this)();
  }

 private:
  static constexpr std::uint64_t max_at_once = 8192;  // fit into a cache

  void refill() {
    stream_.fill(words_);
    next_ = 0;
  }

  KeyedWords stream_;
  std::vector<std::uint64_t> words_;
  std::size_t next_;
};

}  // namespace rankveil::fitted
