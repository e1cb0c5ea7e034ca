#include "rankveil/protect/ledger/persons.h"

#include <algorithm>

namespace rankveil {

Persons::Persons(const Task& task) : task_(task), count_(task.table.rows()) {
  const auto& person_of = task.person_of;
  if (person_of.empty()) return;
  count_ = *std::max_element(person_of.begin(), person_of.end()) + 1;
  first_.assign(count_ + std::size_t{1}, 0);
  for (std::uint32_t person : person_of) ++first_[person + 1];
  for (std::uint32_t p = 0; p < count_; ++p) first_[p + 1] += first_[p];
  rows_.resize(person_of.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t row = 0; row < person_of.size(); ++row) {
    bool placed = !task.place_of.empty();
    std::uint32_t at =
        placed ? first_[person_of[row]] + task.place_of[row] : next[person_of[row]]++;
    rows_[at] = RowId{row};
  }
}

std::string Persons::name(std::uint32_t person) const {
  if (task_.person_of.empty()) return task_.table.names().text(RowId{person});
  return task_.person_names[person];
}

std::uint32_t Persons::row_count(std::uint32_t person) const {
  return first_.empty() ? 1 : first_[person + 1] - first_[person];
}

RowId Persons::row(std::uint32_t person, std::uint32_t number) const {
  return first_.empty() ? RowId{person} : rows_[first_[person] + number];
}

bool Persons::takes_part(std::uint32_t person) const {
  for (std::uint32_t i = 0; i < row_count(person); ++i) {
    if (task_.takes_part(row(person, i))) return true;
  }
  return false;
}

}  // namespace rankveil
