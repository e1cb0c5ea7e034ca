#include "rankveil/protect/swap/fitted/units.h"

#include <algorithm>

#include "rankveil/protect/groups/group_sizes.h"

namespace rankveil::fitted {

namespace {

bool counts_for_variation(const Task& task, RowId row) {
  bool shows = task.shown != nullptr && task.shown->rows[+row] != 0;
  return shows || task.takes_part(row);
}

bool may_be_released(const Task& task, const Persons& units, std::uint32_t unit) {
  if (units.row_count(unit) == 0) return false;
  for (RowId row : units.rows(unit)) {
    if (!task.takes_part(row)) return false;
    if (task.shown != nullptr && task.shown->rows[+row] != 0) return false;
  }
  return true;
}

// Strikes out those with too many rows, or too few others with as many.
void keep_common_lengths(const Persons& units, std::vector<std::uint8_t>& released) {
  std::vector<std::uint32_t> of_length(longest_history + 1, 0);
  for (std::uint32_t u = 0; u < units.count(); ++u) {
    if (released[u] != 0 && units.row_count(u) <= longest_history) ++of_length[units.row_count(u)];
  }
  for (std::uint32_t u = 0; u < units.count(); ++u) {
    std::uint32_t length = units.row_count(u);
    bool common =
        length <= longest_history && of_length[length] >= GroupSizes::in_use().history_class;
    if (!common) released[u] = 0;
  }
}

}  // namespace

std::vector<bool> varying_attributes(const Task& task, const Persons& units) {
  std::vector<bool> varies(task.private_count(), false);
  if (!units.has_histories()) return varies;
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    const Column& column = task.private_column(PrivateId{j});
    for (std::uint32_t u = 0; u < units.count() && !varies[j]; ++u) {
      for (RowId row : units.rows(u)) {
        bool differs = column.value(row) != column.value(units.row(u, 0));
        if (differs && counts_for_variation(task, row)) varies[j] = true;
      }
    }
  }
  return varies;
}

namespace {

std::vector<std::uint8_t> units_that_may_be(const Task& task, const Persons& units) {
  std::vector<std::uint8_t> released(units.count(), 0);
  for (std::uint32_t u = 0; u < units.count(); ++u) {
    released[u] = may_be_released(task, units, u) ? 1 : 0;
  }
  return released;
}

bool trades_histories(const Task& task, const Persons& units) {
  std::vector<bool> varies = varying_attributes(task, units);
  return std::find(varies.begin(), varies.end(), true) != varies.end();
}

}  // namespace

std::uint64_t rows_of_rare_histories(const Task& task) {
  Persons units(task);
  if (!trades_histories(task, units)) return 0;
  std::vector<std::uint8_t> all = units_that_may_be(task, units);
  std::vector<std::uint8_t> common = all;
  keep_common_lengths(units, common);
  std::uint64_t rows = 0;
  for (std::uint32_t u = 0; u < units.count(); ++u) {
    if (all[u] != 0 && common[u] == 0) rows += units.row_count(u);
  }
  return rows;
}

std::vector<std::uint8_t> units_to_release(const Task& task, const Persons& units) {
  std::vector<std::uint8_t> released = units_that_may_be(task, units);
  if (trades_histories(task, units)) keep_common_lengths(units, released);
  auto count = static_cast<std::uint32_t>(std::count(released.begin(), released.end(), 1));
  bool first_release = task.shown == nullptr;
  if (first_release && count < GroupSizes::in_use().batch) released.assign(units.count(), 0);
  return released;
}

}  // namespace rankveil::fitted
