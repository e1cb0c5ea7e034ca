#include "rankveil/protect/persons.h"

#include <algorithm>

namespace rankveil {

Persons::Persons(const Task& task) : task_(task) {
  std::uint32_t rows = task.table.rows();
  const auto& person_of = task.person_of;
  bool several = !person_of.empty();
  std::uint32_t persons = several ? *std::ranges::max_element(person_of) + 1 : rows;
  first_.assign(std::size_t{persons} + 1, 0);
  for (std::uint32_t row = 0; row < rows; ++row) ++first_[of(RowId{row}) + 1];
  for (std::uint32_t p = 0; p < persons; ++p) first_[p + 1] += first_[p];
  rows_.resize(rows);
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t row = 0; row < rows; ++row) rows_[next[of(RowId{row})]++] = RowId{row};
  for (std::uint32_t p = 0; !task.place_of.empty() && p < persons; ++p) {
    std::ranges::stable_sort(rows_.begin() + first_[p], rows_.begin() + first_[p + 1], {},
                             [&](RowId row) { return task.place_of[+row]; });
  }
}

std::string Persons::name(std::uint32_t person) const {
  RowNames::Digits digits;
  return std::string(name(person, digits));
}

std::string_view Persons::name(std::uint32_t person, RowNames::Digits& digits) const {
  if (task_.person_of.empty()) return task_.table.names().text(row(person, 0), digits);
  return task_.person_names[person];
}

bool Persons::takes_part(std::uint32_t person) const {
  return std::ranges::any_of(rows(person), [&](RowId row) { return task_.takes_part(row); });
}

}  // namespace rankveil
