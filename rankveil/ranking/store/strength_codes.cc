#include "rankveil/ranking/store/strength_codes.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace rankveil {

namespace {

constexpr std::uint32_t block_rows = 64;
constexpr std::size_t max_codes = 1 << 16;

// The eight bits of a byte, each in a byte of its own.
constexpr std::array<std::uint64_t, 256> spread_bits = [] {
  std::array<std::uint64_t, 256> spread{};
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    for (std::uint32_t bit = 0; bit < 8; ++bit) spread[byte] |= ((byte >> bit) & 1) << (8 * bit);
  }
  return spread;
}();

bool has_lists(const AttributePlanes& attribute) {
  return std::any_of(attribute.planes.begin(), attribute.planes.end(),
                     [](const Plane& plane) { return !plane.rows.empty(); });
}

// Strengths of a value in the rows of a block.
std::array<std::uint8_t, block_rows> strengths_of(const AttributePlanes& planes,
                                                  std::uint32_t value, std::uint32_t block) {
  std::array<std::uint64_t, block_rows / 8> eights{};
  for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
    const std::uint64_t* bitmap = planes.plane(value, bit).bits;
    if (bitmap == nullptr) continue;
    for (std::uint32_t i = 0; i < eights.size(); ++i) {
      eights[i] |= spread_bits[(bitmap[block] >> (8 * i)) & 255] << bit;
    }
  }
  std::array<std::uint8_t, block_rows> strengths;
  std::memcpy(strengths.data(), eights.data(), sizeof eights);
  return strengths;
}

}  // namespace

// Gives the rows of one attribute their codes, in the order in which these are met.
class StrengthCodes::Coder {
 public:
  Coder(const AttributePlanes& planes, Book& book) : planes_(planes), book_(book), slots_(1024) {
    book_.values = planes.domain_size();
    book_.width = (book_.values + 7) / 8;
    block_.resize(block_rows * book_.width);
  }

  // out[i * stride] is the code of row i. Whether there were codes enough.
  bool run(std::uint32_t rows, std::uint16_t* out, std::size_t stride) {
    for (std::uint32_t first = 0; first < rows; first += block_rows) {
      read_block(first / block_rows);
      std::uint32_t count = std::min(block_rows, rows - first);
      for (std::uint32_t i = 0; i < count; ++i) {
        std::size_t code = code_of(block_.data() + i * book_.width);
        if (code >= max_codes) return false;
        ++book_.counts[code];
        out[(first + i) * stride] = static_cast<std::uint16_t>(code);
      }
    }
    return true;
  }

 private:
  void read_block(std::uint32_t block) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(block_.data());
    for (std::uint32_t value = 0; value < book_.values; ++value) {
      auto strengths = strengths_of(planes_, value, block);
      std::uint8_t* place = bytes + value;
      for (std::uint8_t strength : strengths) {
        *place = strength;
        place += 8 * book_.width;
      }
    }
  }

  // Where to look for a code first.
  std::size_t slot_of(const std::uint64_t* strengths) const {
    std::uint64_t mixed = 0;
    for (std::size_t i = 0; i < book_.width; ++i) {
      mixed = (mixed ^ strengths[i]) * 0x9E3779B97F4A7C15U;
      mixed ^= mixed >> 32;
    }
    return mixed & (slots_.size() - 1);
  }
  std::size_t slot_after(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  bool has(std::size_t code, const std::uint64_t* strengths) const {
    return std::equal(strengths, strengths + book_.width, book_.words.data() + code * book_.width);
  }

  // The code that was met before, or a new one.
  std::size_t code_of(const std::uint64_t* strengths) {
    std::size_t slot = slot_of(strengths);
    for (; slots_[slot] != 0; slot = slot_after(slot)) {
      if (has(slots_[slot] - 1, strengths)) return slots_[slot] - 1;
    }
    book_.words.insert(book_.words.end(), strengths, strengths + book_.width);
    book_.counts.push_back(0);
    slots_[slot] = static_cast<std::uint32_t>(book_.counts.size());
    if (book_.counts.size() * 4 > slots_.size()) make_room();
    return book_.counts.size() - 1;
  }

  void make_room() {
    slots_.assign(slots_.size() * 4, 0);
    for (std::uint32_t code = 0; code < book_.counts.size(); ++code) {
      std::size_t slot = slot_of(book_.words.data() + code * book_.width);
      while (slots_[slot] != 0) slot = slot_after(slot);
      slots_[slot] = code + 1;
    }
  }

  const AttributePlanes& planes_;
  Book& book_;
  std::vector<std::uint64_t> block_;  // strengths of all values, row by row
  std::vector<std::uint32_t> slots_;  // 0, or a code plus 1; a power of two of them
};

std::optional<StrengthCodes> StrengthCodes::of(std::span<const AttributePlanes> attributes,
                                               std::uint32_t rows) {
  if (std::any_of(attributes.begin(), attributes.end(), has_lists)) return std::nullopt;
  StrengthCodes made;
  made.rows_ = rows;
  made.books_.resize(attributes.size());
  constexpr std::size_t codes_per_word = sizeof(std::uint64_t) / sizeof(std::uint16_t);
  made.words_ = std::make_shared<AlignedWords>(rows * made.stride() / codes_per_word + 1);
  for (std::size_t j = 0; j < attributes.size(); ++j) {
    Coder coder(attributes[j], made.books_[j]);
    if (!coder.run(rows, made.codes() + j, made.stride())) return std::nullopt;
  }
  return made;
}

}  // namespace rankveil
