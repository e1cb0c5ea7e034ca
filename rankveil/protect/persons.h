// The persons of a task and their rows. Where the task knows of none, every row is one.
//
//   Persons persons(task);
//   for (RowId row : persons.rows(p)) ...
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/protect/task.h"

namespace rankveil {

class Persons {
 public:
  explicit Persons(const Task& task);

  std::uint32_t count() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::uint32_t of(RowId row) const {
    return task_.person_of.empty() ? +row : task_.person_of[+row];
  }
  std::string name(std::uint32_t person) const;
  std::string_view name(std::uint32_t person, RowNames::Digits& digits) const;
  // In the order of the person's life (Task::place_of).
  std::span<const RowId> rows(std::uint32_t person) const {
    return std::span(rows_).subspan(first_[person], row_count(person));
  }
  std::uint32_t row_count(std::uint32_t person) const {
    return first_[person + 1] - first_[person];
  }
  RowId row(std::uint32_t person, std::uint32_t number) const {
    return rows_[first_[person] + number];
  }
  // Whether one of its rows takes part.
  bool takes_part(std::uint32_t person) const;
  // Whether some person has more than one row.
  bool has_histories() const { return rows_.size() > count(); }

 private:
  const Task& task_;
  std::vector<std::uint32_t> first_;  // per person, where its rows begin; one more
  std::vector<RowId> rows_;
};

}  // namespace rankveil
