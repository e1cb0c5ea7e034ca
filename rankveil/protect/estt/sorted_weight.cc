#include "rankveil/protect/estt/sorted_weight.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace rankveil {

namespace {

// Which of the rows have the value that a row has, for every attribute and row.
class ValueBitmaps {
 public:
  ValueBitmaps(const CodeRows& rows, const std::vector<std::uint32_t>& free)
      : words_((free.size() + 63) / 64), width_(rows.width()), plane_of_(free.size() * width_) {
    std::vector<std::uint32_t> plane_of_code(0x10000, no_plane);
    for (std::uint32_t j = 0; j < width_; ++j) {
      for (std::size_t i = 0; i < free.size(); ++i) {
        std::uint32_t& plane = plane_of_code[rows.code(free[i], j)];
        if (plane == no_plane) {
          plane = static_cast<std::uint32_t>(bits_.size() / words_);
          bits_.resize(bits_.size() + words_, 0);
        }
        plane_of_[i * width_ + j] = plane;
        bits_[plane * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
      }
      for (std::uint32_t row : free) plane_of_code[rows.code(row, j)] = no_plane;
    }
  }

  std::size_t words() const { return words_; }

  // A bit for each of 64 rows: it is equal to `row` in exactly `wanted` attributes.
  std::uint64_t equal_in(std::uint32_t wanted, std::size_t row, std::size_t word) const {
    return wanted == 0 ? ~any_equal(row, word) : counted(wanted, row, word);
  }

 private:
  static constexpr std::uint32_t no_plane = 0xFFFFFFFF;

  std::uint64_t plane_word(std::size_t row, std::uint32_t attribute, std::size_t word) const {
    return bits_[plane_of_[row * width_ + attribute] * words_ + word];
  }

  std::uint64_t any_equal(std::size_t row, std::size_t word) const {
    std::uint64_t any = 0;
    for (std::uint32_t j = 0; j < width_; ++j) any |= plane_word(row, j, word);
    return any;
  }

  // Counts 64 rows at once: bit b of every row's count is in slices[b].
  std::uint64_t counted(std::uint32_t wanted, std::size_t row, std::size_t word) const {
    std::uint64_t slices[32] = {};
    auto used = static_cast<std::uint32_t>(std::bit_width(width_));
    for (std::uint32_t j = 0; j < width_; ++j) {
      std::uint64_t carry = plane_word(row, j, word);
      for (std::uint32_t b = 0; b < used; ++b) {
        std::uint64_t both = slices[b] & carry;
        slices[b] ^= carry;
        carry = both;
      }
    }
    std::uint64_t yes = ~std::uint64_t{0};
    for (std::uint32_t b = 0; b < used; ++b) {
      yes &= ((wanted >> b) & 1U) != 0 ? slices[b] : ~slices[b];
    }
    return yes;
  }

  std::size_t words_;
  std::uint32_t width_;
  std::vector<std::uint32_t> plane_of_;  // [row][attribute]
  std::vector<std::uint64_t> bits_;      // [plane][word]
};

// Takes the pairs of free rows that share exactly `shared` values, in order; adds them to `pairs`.
void take_pairs(const CodeRows& rows, std::uint32_t shared, std::vector<std::uint32_t>& free,
                std::vector<std::uint32_t>& pairs) {
  ValueBitmaps bitmaps(rows, free);
  std::vector<std::uint64_t> alive(bitmaps.words(), 0);
  for (std::size_t i = 0; i < free.size(); ++i) alive[i / 64] |= std::uint64_t{1} << (i % 64);
  for (std::size_t i = 0; i < free.size(); ++i) {
    std::uint64_t own = std::uint64_t{1} << (i % 64);
    if ((alive[i / 64] & own) == 0) continue;
    std::uint64_t later = ~(own | (own - 1));  // in the first word
    for (std::size_t word = i / 64; word < bitmaps.words(); ++word, later = ~std::uint64_t{0}) {
      if ((alive[word] & later) == 0) continue;
      std::uint64_t partners = alive[word] & later & bitmaps.equal_in(shared, i, word);
      if (partners == 0) continue;
      std::size_t partner = word * 64 + static_cast<std::size_t>(std::countr_zero(partners));
      alive[i / 64] &= ~own;
      alive[word] &= ~(partners & (~partners + 1));
      pairs.push_back(free[i]);
      pairs.push_back(free[partner]);
      break;
    }
  }
  std::vector<std::uint32_t> left;
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (((alive[i / 64] >> (i % 64)) & 1U) != 0) left.push_back(free[i]);
  }
  free = std::move(left);
}

}  // namespace

std::vector<std::uint32_t> sorted_weight(const CodeRows& rows) {
  std::vector<std::uint32_t> free(rows.size());
  std::iota(free.begin(), free.end(), 0U);
  std::vector<std::uint32_t> pairs;
  pairs.reserve(rows.size());
  for (std::uint32_t shared = 0; shared <= rows.width() && free.size() > 1; ++shared) {
    take_pairs(rows, shared, free, pairs);
  }
  pairs.insert(pairs.end(), free.begin(), free.end());
  return pairs;
}

}  // namespace rankveil
