// How well rows of a cell tell each other's values: each row is guessed from the others alone.
//
// Values that no other row of the cell has tell nothing then, so ids and columns of many values are
// no false alarm, and no second sample is needed: without one row, counts of its cell are known.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/table/telling/cells.h"

namespace rankveil {

// A gain is counted of values that are less likely than not without the cell, as audits do.
inline constexpr double likely_anyway = 0.5;

// Guesses of a value whose belief rises by a gain of more than 1/l.
struct Gains {
  std::uint64_t guesses = 0;
  std::uint64_t right = 0;
  double chance = 0;  // how many would be right without the cell

  void add(const Gains& more);
  // (right - chance) / (guesses - chance)
  double realised() const;
  // Standard deviations that `right` is above chance.
  double deviations() const;
};

struct HeldOut {
  std::uint64_t rows = 0;     // that have a value
  std::uint64_t right = 0;    // guessed by the cell
  std::uint64_t without = 0;  // guessed by the base
  // Rows whose cell has other rows, and how many of them are guessed by the cell.
  std::uint64_t company = 0;
  std::uint64_t company_right = 0;
  std::array<Gains, 33> gains = {};  // by the bits of the number of rows in the cell
};

// Values of one column, guessed from cells inside a base: the cells of what is known anyway.
// Each instance has room of its own; the same may be asked again and again.
class HeldOutGuesses {
 public:
  HeldOutGuesses(std::span<const std::uint16_t> codes, std::uint32_t width, std::uint32_t l);

  // REQUIRES: `cells` is `base`, cut.
  HeldOut of(const Cells& base, const Cells& cells);

 private:
  struct Counts {
    std::vector<std::uint32_t> of;      // per value
    std::vector<std::uint16_t> values;  // that are there
    std::uint32_t rows = 0;             // that have a value
    void clear();
  };
  // The highest of some values, and the highest of the others.
  struct BestTwo {
    double first = -1, second = -1;
    std::uint16_t value = 0, second_value = 0;
    void see(double score, std::uint16_t value);
  };

  void count(std::span<const std::uint32_t> rows, Counts& counts) const;
  // What the base lets believe of a value; `own`: by its rows but one that has the value.
  double belief(std::uint16_t value, bool own) const;
  void guess_by_base(HeldOut& held_out);
  void judge(HeldOut& held_out);
  void judge_gain(HeldOut& held_out);

  std::span<const std::uint16_t> codes_;
  std::uint16_t missing_;
  std::uint32_t l_;
  std::vector<double> shares_;  // of all rows that have a value
  Counts base_;
  Counts cell_;
  std::uint16_t guessed_ = 0;  // by the base
  bool right_alone_ = false;   // for a row that has this value itself
};

}  // namespace rankveil
