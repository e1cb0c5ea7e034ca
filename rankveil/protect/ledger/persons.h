// The persons of a task and their rows. Where the task knows of none, every row is one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/protect/task.h"

namespace rankveil {

class Persons {
 public:
  explicit Persons(const Task& task);

  std::uint32_t count() const { return count_; }
  std::uint32_t of(RowId row) const {
    return task_.person_of.empty() ? +row : task_.person_of[+row];
  }
  std::string name(std::uint32_t person) const;
  std::uint32_t row_count(std::uint32_t person) const;
  // In the order of the person's life (Task::place_of).
  RowId row(std::uint32_t person, std::uint32_t number) const;
  // Whether one of its rows takes part.
  bool takes_part(std::uint32_t person) const;

 private:
  const Task& task_;
  std::uint32_t count_;
  // With persons of several rows: rows by person, and where each person's begin.
  std::vector<RowId> rows_;
  std::vector<std::uint32_t> first_;
};

}  // namespace rankveil
