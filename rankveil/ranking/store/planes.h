// Which rows match a value: one bit a row, or a list of rows where few do.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rankveil/base/aligned_words.h"
#include "rankveil/ranking/kernels/kernel.h"
#include "rankveil/ranking/store/block.h"
#include "rankveil/table/ids.h"

namespace rankveil {

// Domains up to this size have a bitmap for every value; larger ones only for common values.
inline constexpr std::uint32_t dense_domain = 64;
// In larger domains, a value gets a bitmap when at least one row in this many has it: from there on
// a bitmap is smaller than a list of four-byte row numbers.
inline constexpr std::uint32_t sparse_share = 32;

inline std::uint32_t lines_of(std::uint32_t rows) {
  return (rows + kernels::rows_per_line - 1) / kernels::rows_per_line;
}

// Words from one plane to the next: whole pages (from one page up) plus an odd number of cache
// lines, so that planes read side by side do not fight for the same cache sets.
inline std::size_t plane_stride(std::uint32_t rows) {
  constexpr std::size_t page = 4096 / sizeof(std::uint64_t);
  std::size_t words = std::size_t{lines_of(rows)} * kernels::words_per_line;
  if (words >= page) words = (words + page - 1) / page * page;
  return words + kernels::slack_words;
}

// At most one of the two is there; neither: no row matches.
struct Plane {
  const std::uint64_t* bits = nullptr;       // plane_stride words, on a cache line
  std::span<const std::uint32_t> rows = {};  // ascending

  bool is_empty() const { return bits == nullptr && rows.empty(); }
  bool test(std::uint32_t row) const;
};

// Bitmaps side by side in one piece of memory, all zero at first.
class DensePlanes {
 public:
  // `skew`: number of planes elsewhere that are read together with these.
  DensePlanes(std::size_t count, std::uint32_t rows, std::size_t skew = 0);

  DensePlanes clone() const;
  std::uint64_t* plane(std::size_t i) { return words_.data() + start_ + i * stride_; }
  const std::uint64_t* plane(std::size_t i) const { return words_.data() + start_ + i * stride_; }
  void set(std::size_t plane_number, std::uint32_t row) {
    plane(plane_number)[row / 64] |= std::uint64_t{1} << (row % 64);
  }

 private:
  std::size_t stride_;
  std::size_t start_;
  AlignedWords words_;
};

// All planes of one attribute: `bits` per value, lowest bit first.
struct AttributePlanes {
  std::uint32_t bits = 1;
  std::vector<Plane> planes;
  std::vector<std::shared_ptr<const void>> owners;

  std::uint32_t domain_size() const { return static_cast<std::uint32_t>(planes.size()) / bits; }
  const Plane& plane(std::uint32_t value, std::uint32_t bit = 0) const {
    return planes[value * bits + bit];
  }
  std::size_t bitmaps() const;
};

// How many bytes the bitmaps and lists take; `rows` is the length of a bitmap.
std::size_t bytes_of(std::span<const AttributePlanes> attributes, std::uint32_t rows);

// Strength `strength` of `value` in row `row`; rows ascend for each value.
struct StrengthEntry {
  std::uint32_t row;
  std::uint8_t strength;
};

// Planes from lists of entries, one list per value; dense where that is smaller.
AttributePlanes planes_from_lists(const std::vector<std::vector<StrengthEntry>>& lists,
                                  std::uint32_t rows, std::uint32_t bits);

// The same planes for these rows alone: row i is the one at positions[i]. Positions ascend; `skew`
// as in DensePlanes.
AttributePlanes planes_at(std::span<const std::uint32_t> positions,
                          const AttributePlanes& attribute, std::size_t skew);

}  // namespace rankveil
