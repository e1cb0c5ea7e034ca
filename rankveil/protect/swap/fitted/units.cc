#include "rankveil/protect/swap/fitted/units.h"

#include <algorithm>

#include "rankveil/protect/groups/group_sizes.h"

namespace rankveil::fitted {

Units::Units(const Task& task) : task_(task) {
  std::uint32_t rows = task.table.rows();
  std::uint32_t units = rows;
  if (!task.person_of.empty()) {
    units = rows == 0 ? 0 : *std::max_element(task.person_of.begin(), task.person_of.end()) + 1;
  }
  auto unit_of = [&](std::uint32_t row) {
    return task.person_of.empty() ? row : task.person_of[row];
  };
  first_.assign(std::size_t{units} + 1, 0);
  for (std::uint32_t row = 0; row < rows; ++row) ++first_[unit_of(row) + 1];
  for (std::uint32_t u = 0; u < units; ++u) first_[u + 1] += first_[u];
  rows_.resize(rows);
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t row = 0; row < rows; ++row) rows_[next[unit_of(row)]++] = RowId{row};
  if (!task.place_of.empty()) sort_histories();
}

void Units::sort_histories() {
  for (std::uint32_t unit = 0; unit < count(); ++unit) {
    if (length(unit) < 2) continue;
    auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(first_[unit]);
    std::stable_sort(begin, begin + length(unit),
                     [&](RowId a, RowId b) { return task_.place_of[+a] < task_.place_of[+b]; });
  }
}

std::string_view Units::name(std::uint32_t unit, RowNames::Digits& digits) const {
  if (task_.person_of.empty()) return task_.table.names().text(first_row(unit), digits);
  return task_.person_names[unit];
}

namespace {

bool counts_for_variation(const Task& task, RowId row) {
  bool shows = task.shown != nullptr && task.shown->rows[+row] != 0;
  return shows || task.takes_part(row);
}

bool may_be_released(const Task& task, const Units& units, std::uint32_t unit) {
  if (units.length(unit) == 0) return false;
  for (RowId row : units.rows(unit)) {
    if (!task.takes_part(row)) return false;
    if (task.shown != nullptr && task.shown->rows[+row] != 0) return false;
  }
  return true;
}

// Strikes out those with too many rows, or too few others with as many.
void keep_common_lengths(const Units& units, std::vector<std::uint8_t>& released) {
  std::vector<std::uint32_t> of_length(longest_history + 1, 0);
  for (std::uint32_t u = 0; u < units.count(); ++u) {
    if (released[u] != 0 && units.length(u) <= longest_history) ++of_length[units.length(u)];
  }
  for (std::uint32_t u = 0; u < units.count(); ++u) {
    std::uint32_t length = units.length(u);
    bool common =
        length <= longest_history && of_length[length] >= GroupSizes::in_use().history_class;
    if (!common) released[u] = 0;
  }
}

}  // namespace

std::vector<bool> varying_attributes(const Task& task, const Units& units) {
  std::vector<bool> varies(task.private_count(), false);
  if (!units.has_histories()) return varies;
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    const Column& column = task.private_column(PrivateId{j});
    for (std::uint32_t u = 0; u < units.count() && !varies[j]; ++u) {
      for (RowId row : units.rows(u)) {
        bool differs = column.value(row) != column.value(units.first_row(u));
        if (differs && counts_for_variation(task, row)) varies[j] = true;
      }
    }
  }
  return varies;
}

namespace {

std::vector<std::uint8_t> units_that_may_be(const Task& task, const Units& units) {
  std::vector<std::uint8_t> released(units.count(), 0);
  for (std::uint32_t u = 0; u < units.count(); ++u) {
    released[u] = may_be_released(task, units, u) ? 1 : 0;
  }
  return released;
}

bool trades_histories(const Task& task, const Units& units) {
  std::vector<bool> varies = varying_attributes(task, units);
  return std::find(varies.begin(), varies.end(), true) != varies.end();
}

}  // namespace

std::uint64_t rows_of_rare_histories(const Task& task) {
  Units units(task);
  if (!trades_histories(task, units)) return 0;
  std::vector<std::uint8_t> all = units_that_may_be(task, units);
  std::vector<std::uint8_t> common = all;
  keep_common_lengths(units, common);
  std::uint64_t rows = 0;
  for (std::uint32_t u = 0; u < units.count(); ++u) {
    if (all[u] != 0 && common[u] == 0) rows += units.length(u);
  }
  return rows;
}

std::vector<std::uint8_t> units_to_release(const Task& task, const Units& units) {
  std::vector<std::uint8_t> released = units_that_may_be(task, units);
  if (trades_histories(task, units)) keep_common_lengths(units, released);
  auto count = static_cast<std::uint32_t>(std::count(released.begin(), released.end(), 1));
  bool first_release = task.shown == nullptr;
  if (first_release && count < GroupSizes::in_use().batch) released.assign(units.count(), 0);
  return released;
}

}  // namespace rankveil::fitted
