#include "rankveil/protect/swap/fitted/alike.h"

#include <algorithm>
#include <map>
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

Alike::Alike(const Task& task, const Persons& units, std::span<const std::uint32_t> members) {
  RowGroups groups = group_rows(task.table, public_attributes(task.table.schema()));
  PairNumbers longer;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t unit : members) {
    if (units.row_count(unit) == 1 && !units.has_histories()) {
      numbers.push_back(groups.group_of[+units.row(unit, 0)]);
      continue;
    }
    std::uint32_t number = nobody_yet;
    for (RowId row : units.rows(unit)) number = longer.of(number, groups.group_of[+row]);
    numbers.push_back(number);
  }
  of_ = std::move(numbers);
  keep_large(units, members);
}

void Alike::tell_apart(const Persons& units, std::span<const std::uint32_t> members,
                       const std::vector<std::uint16_t>& shown) {
  PairNumbers longer;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (of_[i] == few) continue;
    std::uint32_t number = longer.of(nobody_yet, of_[i]);
    for (RowId row : units.rows(members[i])) number = longer.of(number, shown[+row]);
    of_[i] = number;
  }
  keep_large(units, members);
}

// Members who have one number.
struct Alike::Kind {
  std::uint32_t size = 0;
  std::uint32_t length = 1;  // rows of each of them
  bool is_class = true;
};

// Replaces numbers by places in the list that it gives.
std::vector<Alike::Kind> Alike::kinds_of(const Persons& units,
                                         std::span<const std::uint32_t> members) {
  std::vector<Kind> kinds;
  std::unordered_map<std::uint32_t, std::uint32_t> places;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (of_[i] == few) continue;
    auto next = static_cast<std::uint32_t>(kinds.size());
    auto [place, is_new] = places.try_emplace(of_[i], next);
    if (is_new) kinds.push_back({.length = units.row_count(members[i])});
    of_[i] = place->second;
    ++kinds[of_[i]].size;
  }
  return kinds;
}

// Histories are traded among those with as many rows, so each length must have enough for itself.
void Alike::keep_large(const Persons& units, std::span<const std::uint32_t> members) {
  const std::uint32_t enough = GroupSizes::in_use().exact_class;
  std::vector<Kind> kinds = kinds_of(units, members);
  std::map<std::uint32_t, std::uint64_t> left;  // in no class, by length
  for (std::size_t i = 0; i < members.size(); ++i) {
    bool is_large = of_[i] != few && kinds[of_[i]].size >= enough;
    if (!is_large) ++left[units.row_count(members[i])];
  }
  std::vector<Kind*> smallest_first;
  for (Kind& kind : kinds) smallest_first.push_back(&kind);
  std::ranges::stable_sort(smallest_first, {}, &Kind::size);
  for (Kind* kind : smallest_first) {
    kind->is_class = kind->size >= enough;
    std::uint64_t& alone = left[kind->length];
    bool joins_them = kind->is_class && alone > 0 && alone < enough;
    if (!joins_them) continue;
    kind->is_class = false;
    alone += kind->size;
  }
  std::vector<std::uint32_t> names(kinds.size(), few);
  classes_ = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k].is_class) names[k] = classes_++;
  }
  for (std::uint32_t& place : of_) {
    if (place != few) place = names[place];
  }
}

}  // namespace rankveil::fitted
