// Numbers for texts in the order they are first met: the heart of reading a table.
//
// A text of up to 12 bytes costs a multiplication, a lookup in a small array and a comparison of
// two words; nothing is allocated unless the text is new.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/table/building/packed_text.h"

namespace rankveil {

class Dictionary {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  Dictionary();

  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }
  const std::vector<std::string>& texts() const { return texts_; }

  // The number of `text`, or `none`.
  std::uint32_t find(const PackedText& text) const {
    return slots_[slot_of(key_of(text), text)].code;
  }
  // The number of `text`, which is `size()` before the call when it is new.
  std::uint32_t add(const PackedText& text);

 private:
  // Short text: its 16 bytes. Longer text: length, first four bytes and a hash of the whole.
  struct Key {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };
  struct Slot {
    Key key;
    std::uint32_t code = none;
  };

  static Key key_of(const PackedText& text) {
    return {text.first_half(), text.lies_inside() ? text.last_half() : hash_long(text.view())};
  }
  static std::uint64_t hash_long(std::string_view text);

  std::size_t home_of(const Key& key) const {
    std::uint64_t mixed =
        (key.first ^ (key.last * 0x9e3779b97f4a7c15U) ^ (key.last >> 29)) * 0xd6e8feb86659fd93U;
    return mixed >> shift_;
  }
  // Where `text` is, or the free slot where it would go.
  std::size_t slot_of(const Key& key, const PackedText& text) const {
    std::size_t slot = home_of(key);
    while (slots_[slot].code != none && !holds(slots_[slot], key, text)) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
  }
  bool holds(const Slot& slot, const Key& key, const PackedText& text) const {
    return slot.key.first == key.first && slot.key.last == key.last &&
           (text.lies_inside() || texts_[slot.code] == text.view());
  }
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half of it in use
  unsigned shift_;           // 64 - log2(slots)
  std::vector<std::string> texts_;
};

}  // namespace rankveil
