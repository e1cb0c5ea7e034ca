// Those who trade: persons, each with one row or more. Without persons every row is one.
//
//   Units units(task);
//   for (RowId row : units.rows(u)) ...
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rankveil/protect/task.h"

namespace rankveil::fitted {

// Persons with more rows show base shares only, where some private column varies inside persons.
inline constexpr std::uint32_t longest_history = 10;

class Units {
 public:
  explicit Units(const Task& task);

  std::uint32_t count() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  // In the order of their histories.
  std::span<const RowId> rows(std::uint32_t unit) const {
    return std::span(rows_).subspan(first_[unit], first_[unit + 1] - first_[unit]);
  }
  RowId first_row(std::uint32_t unit) const { return rows_[first_[unit]]; }
  std::uint32_t length(std::uint32_t unit) const { return first_[unit + 1] - first_[unit]; }
  std::string_view name(std::uint32_t unit, RowNames::Digits& digits) const;
  // Whether some has more than one row.
  bool has_histories() const { return rows_.size() + 1 > first_.size(); }

 private:
  void sort_histories();

  const Task& task_;
  std::vector<std::uint32_t> first_;  // per unit, where its rows begin; one more
  std::vector<RowId> rows_;
};

// Per unit: whether it gets something to show now. Those whose rows all take part and show nothing
// yet; with enough others of the same length where a private column varies inside persons; and none
// in a first release of fewer than GroupSizes::batch. Later, release.h says when newcomers are
// enough.
std::vector<std::uint8_t> units_to_release(const Task& task, const Units& units);

// Rows of those who will show nothing whoever else comes: their histories are too long, or of a
// length that too few share.
std::uint64_t rows_of_rare_histories(const Task& task);

// Private attributes that differ between rows of a person who takes part, or shows something.
std::vector<bool> varying_attributes(const Task& task, const Units& units);

}  // namespace rankveil::fitted
