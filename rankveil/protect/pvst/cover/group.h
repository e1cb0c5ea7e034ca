// The rows of one public group as candidates for covering each other: different private vectors,
// cheapest first, with bitmaps of who has which value.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/base/aligned_words.h"
#include "rankveil/protect/pvst/cover/kernel.h"
#include "rankveil/protect/pvst/cover/vectors.h"

namespace rankveil::cover {

// Calls visit(position) for each bit of a line, ascending, for as long as it returns true.
template <typename Visit>
bool each_position(std::uint32_t line, const std::uint64_t* found, Visit visit) {
  for (std::uint32_t i = 0; i < words_per_line; ++i) {
    for (std::uint64_t bits = found[i]; bits != 0; bits &= bits - 1) {
      auto bit = static_cast<std::uint32_t>(std::countr_zero(bits));
      if (!visit(line * positions_per_line + i * 64 + bit)) return false;
    }
  }
  return true;
}

using LineBits = std::array<std::uint64_t, words_per_line>;
// The bits of the last line that so many positions fill.
LineBits last_line_of(std::uint32_t positions);

// Position p is the p-th vector in ascending order of (loss, lowest row that has it). One object
// can be built for group after group: it keeps its memory.
class Group {
 public:
  explicit Group(const Vectors& vectors);

  // REQUIRES: rows ascend, at least one.
  void build(std::span<const RowId> rows, std::uint32_t threads);

  const Vectors& vectors() const { return vectors_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }
  std::uint32_t lines() const { return lines_; }
  std::uint32_t row(std::uint32_t position) const { return rows_[position]; }
  Loss loss(std::uint32_t position) const { return losses_[position]; }
  // The position of rows[i].
  std::uint32_t position(std::size_t i) const { return position_of_[member_of_[i]]; }
  // How many different values the group's rows have.
  std::uint32_t values(std::uint32_t j) const { return values_[j]; }

  // The candidates with that code, or null for a rare one. There is always one for the code of
  // missing values when somebody misses one.
  const std::uint64_t* plane(std::uint32_t j, std::uint32_t code) const {
    std::uint32_t number = plane_of_[j][code];
    return number < first_rare ? words_.data() + number * stride_ : nullptr;
  }
  // The positions of a rare code, ascending.
  std::span<const std::uint32_t> positions(std::uint32_t j, std::uint32_t code) const {
    return rare_[plane_of_[j][code] - first_rare];
  }
  bool has_missing(std::uint32_t j) const { return plane_of_[j][vectors_.domain(j)] != unused; }
  const std::uint64_t* empty_plane() const { return words_.data(); }
  // Which bits of the last line are candidates.
  const std::uint64_t* last_line() const { return last_line_.data(); }

  std::uint32_t code(std::uint32_t position, std::uint32_t j) const {
    if (vectors_.domain(j) > largest_lane) return vectors_.code(rows_[position], j);
    std::uint64_t word = lanes(position)[j / lanes_per_word];
    return static_cast<std::uint32_t>(word >> (j % lanes_per_word * 8)) & largest_lane;
  }
  // Codes of domains up to 255 of a candidate, eight attributes to a word.
  static constexpr std::uint32_t lanes_per_word = 8;
  static constexpr std::uint32_t largest_lane = 0xFF;
  static std::uint32_t lane_words(const Vectors& vectors) {
    return (vectors.attributes() + lanes_per_word - 1) / lanes_per_word;
  }
  const std::uint64_t* lanes(std::uint32_t position) const {
    return lanes_.data() + std::size_t{position} * lane_words_;
  }

 private:
  static constexpr std::uint32_t unused = 0xFFFFFFFF;
  static constexpr std::uint32_t first_rare = 0x80000000;

  void collect(std::span<const RowId> rows);
  void sort();
  bool sort_by_counting();
  void fill_lanes(std::uint32_t begin, std::uint32_t end);
  void count_values(std::uint32_t j);
  void lay_out_planes();
  void fill_planes(std::uint32_t j);
  void forget();

  const Vectors& vectors_;
  std::vector<std::uint32_t> member_of_number_;  // per vector of the table; unused: not met yet
  std::vector<std::uint32_t> member_of_;         // per row of the group
  std::vector<std::uint32_t> members_;           // lowest rows, ascending
  struct Ordered {
    Loss loss;
    std::uint32_t member;
  };
  std::vector<Ordered> order_;
  std::vector<Ordered> unordered_;
  std::vector<std::uint32_t> position_of_;  // per member
  std::vector<std::uint32_t> rows_;
  std::vector<Loss> losses_;
  std::vector<std::uint32_t> values_;
  std::vector<std::vector<std::uint32_t>> plane_of_;  // [attribute][code]: counts, then planes
  std::vector<std::vector<std::uint32_t>> codes_;     // [attribute]: those that occur
  std::vector<std::vector<std::uint32_t>> rare_;
  std::uint32_t lines_ = 0;
  std::size_t stride_ = 0;
  AlignedWords words_;
  LineBits last_line_ = {};
  std::uint32_t lane_words_ = 0;
  std::vector<std::uint64_t> lanes_;
};

}  // namespace rankveil::cover
