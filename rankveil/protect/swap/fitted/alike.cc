#include "rankveil/protect/swap/fitted/alike.h"

#include <unordered_map>

#include "rankveil/protect/groups/group_sizes.h"
#include "rankveil/table/row_groups.h"

namespace rankveil::fitted {

namespace {

// Numbers pairs in the order in which they are met; equal pairs have equal numbers.
class PairNumbers {
 public:
  std::uint32_t of(std::uint32_t first, std::uint32_t second) {
    std::uint64_t key = std::uint64_t{first} << 32 | second;
    auto next = static_cast<std::uint32_t>(numbers_.size());
    return numbers_.try_emplace(key, next).first->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

constexpr std::uint32_t nobody_yet = UINT32_MAX;

}  // namespace

Alike::Alike(const Task& task, const Units& units, std::span<const std::uint32_t> members) {
  RowGroups groups = group_rows(task.table, public_attributes(task.table.schema()));
  PairNumbers longer;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t unit : members) {
    if (units.length(unit) == 1 && !units.has_histories()) {
      numbers.push_back(groups.group_of[+units.first_row(unit)]);
      continue;
    }
    std::uint32_t number = nobody_yet;
    for (RowId row : units.rows(unit)) number = longer.of(number, groups.group_of[+row]);
    numbers.push_back(number);
  }
  of_ = std::move(numbers);
  keep_large();
}

void Alike::tell_apart(const Units& units, std::span<const std::uint32_t> members,
                       const std::vector<std::uint16_t>& shown) {
  PairNumbers longer;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (of_[i] == few) continue;
    std::uint32_t number = longer.of(nobody_yet, of_[i]);
    for (RowId row : units.rows(members[i])) number = longer.of(number, shown[+row]);
    of_[i] = number;
  }
  keep_large();
}

// Numbers those that are large enough anew.
void Alike::keep_large() {
  std::unordered_map<std::uint32_t, std::uint32_t> sizes;
  for (std::uint32_t number : of_) {
    if (number != few) ++sizes[number];
  }
  std::unordered_map<std::uint32_t, std::uint32_t> names;
  for (std::uint32_t& number : of_) {
    if (number == few) continue;
    bool large = sizes[number] >= GroupSizes::in_use().exact_class;
    auto next = static_cast<std::uint32_t>(names.size());
    number = large ? names.try_emplace(number, next).first->second : few;
  }
  classes_ = static_cast<std::uint32_t>(names.size());
}

}  // namespace rankveil::fitted
