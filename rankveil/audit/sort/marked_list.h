// What the order of a list tells of a row in it, where some rows have values that are known: marks.
//
//   MarkedList list(rows, marks, codes);
//   list.possible(row)   // by code
//
// In a list ordered by one column equal values stand together, whatever the collation, the
// direction or the order of equals. So a row between two marks of one value has that value; between
// marks of two it has one of the two, or a value that nobody marked. Where values stand in the
// order of their codes, as numbers do, that is one between theirs. Rows that the list leaves out
// stand behind it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace rankveil::audit {

// Codes are numbers of values; the last one stands for none.
using Marks = std::unordered_map<std::uint32_t, std::uint32_t>;  // row: code

class MarkedList {
 public:
  // `in_order`: the list goes by the order of codes, up or down, if its marks do; but for none,
  // which stands anywhere.
  MarkedList(std::span<const std::uint32_t> rows, const Marks& marks, std::uint32_t codes,
             bool in_order = false);

  // Marks of one value do not stand together: the list is not ordered by it.
  bool contradicts() const { return contradicts_; }
  // Marks that have a value stand in the order of codes, up or down. REQUIRES: in_order.
  bool goes_by_codes() const { return goes_by_codes_; }
  bool has(std::uint32_t row) const { return place_.contains(row); }
  // REQUIRES: the row is no mark.
  std::vector<bool> possible(std::uint32_t row) const;
  // How much more likely some codes are than others that are possible, by code. Marks of all values
  // stand alike among their equals: where many rows are before the first mark and few behind the
  // last one, a row between two marks is rather an equal of the one behind it.
  void weigh(std::uint32_t row, std::vector<double>& weights) const;
  // One vote for the code of each of the nearest marks, so many on either side.
  void vote(std::uint32_t row, std::size_t nearest, std::vector<double>& votes) const;
  // The marks beside a row.
  std::optional<std::uint32_t> mark_before(std::uint32_t row) const;
  std::optional<std::uint32_t> mark_behind(std::uint32_t row) const;

 private:
  // How many marks stand before the row.
  std::size_t marks_before(std::uint32_t row) const;
  bool is_none(std::uint32_t code) const { return code + 1 == codes_; }
  void find_direction();
  // Of the marks beside a row that have a value.
  std::optional<std::uint32_t> code_before(std::size_t at) const;
  std::optional<std::uint32_t> code_behind(std::size_t at) const;
  void keep_between(std::size_t at, std::vector<bool>& codes) const;

  enum class Direction { None, Up, Down };
  std::uint32_t codes_;
  Direction direction_ = Direction::None;  // of codes
  std::unordered_map<std::uint32_t, std::size_t> place_;
  std::vector<std::size_t> before_;       // by place: marks before it; then: all
  std::vector<std::uint32_t> mark_rows_;  // in order
  std::vector<std::uint32_t> mark_codes_;
  std::vector<bool> unmarked_;  // by code
  bool contradicts_ = false, goes_by_codes_ = false;
  double before_first_ = 0, behind_last_ = 0;  // rows, of all marks
};

// The codes that fit all lists; empty: one of them contradicts, or nothing fits. `open`: codes that
// rows may have at all.
std::vector<std::uint32_t> fitting(std::span<const MarkedList> lists, std::uint32_t row,
                                   const std::vector<bool>& open);

}  // namespace rankveil::audit
