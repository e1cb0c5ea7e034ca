#include "rankveil/table/building/dictionary.h"

#include <bit>
#include <cstring>

namespace rankveil {

namespace {

constexpr std::size_t first_slots = 64;

std::uint64_t word_at(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 32);
}

}  // namespace

Dictionary::Dictionary()
    : slots_(first_slots), shift_(64 - static_cast<unsigned>(std::countr_zero(first_slots))) {}

std::uint32_t Dictionary::add(const PackedText& text) {
  Key key = key_of(text);
  Slot& slot = slots_[slot_of(key, text)];
  if (slot.code != none) return slot.code;
  std::uint32_t code = size();
  slot = {key, code};
  texts_.emplace_back(text.view());
  if (2 * texts_.size() > slots_.size()) grow();
  return code;
}

// REQUIRES: more than 8 bytes. The last word overlaps the one before it.
std::uint64_t Dictionary::hash_long(std::string_view text) {
  std::uint64_t hash = text.size();
  for (std::size_t i = 0; i + 8 < text.size(); i += 8) hash = mix(hash, word_at(text.data() + i));
  return mix(hash, word_at(text.data() + text.size() - 8));
}

void Dictionary::grow() {
  std::vector<Slot> before(4 * slots_.size());
  before.swap(slots_);
  shift_ -= 2;
  for (const Slot& slot : before) {
    if (slot.code == none) continue;
    std::size_t place = home_of(slot.key);
    while (slots_[place].code != none) place = (place + 1) & (slots_.size() - 1);
    slots_[place] = slot;
  }
}

}  // namespace rankveil
