#include "rankveil/protect/life/withdrawals.h"

#include <algorithm>

namespace rankveil {

namespace {

std::vector<std::uint32_t> persons_with(RowStatus status, const PersonClasses& classes) {
  std::vector<std::uint32_t> persons;
  for (std::uint32_t p = 0; p < classes.entries.size(); ++p) {
    if (classes.entries[p].status == status) persons.push_back(p);
  }
  return persons;
}

bool is_due(const std::vector<std::uint32_t>& changed, const PersonClasses& classes,
            const BuildRules& rules) {
  if (changed.empty() || !rules.withdraw_after) return false;
  if (changed.size() >= enough_changes) return true;
  return std::ranges::any_of(changed, [&](std::uint32_t p) {
    return classes.entries[p].since + *rules.withdraw_after <= rules.today;
  });
}

// The first of `people` in an order that nobody knows who has not the key.
std::vector<std::uint32_t> draw(const SecretKey& key, const Persons& persons,
                                const std::vector<std::uint32_t>& people, std::size_t count,
                                std::uint32_t build) {
  KeyedStream order(key, "company of the withdrawn");
  std::vector<std::pair<std::uint64_t, std::uint32_t>> places;
  for (std::uint32_t p : people) places.emplace_back(order.number(persons.name(p), build), p);
  count = std::min(count, places.size());
  std::ranges::partial_sort(places, places.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<std::uint32_t> drawn;
  for (std::size_t i = 0; i < count; ++i) drawn.push_back(places[i].second);
  return drawn;
}

}  // namespace

double Withdrawal::gain() const {
  auto left = static_cast<double>(changed.size() + company.size());
  if (left == 0 || changed.size() >= shown) return 0;
  double prior = static_cast<double>(changed.size()) / static_cast<double>(shown);
  return (static_cast<double>(changed.size()) / left - prior) / (1 - prior);
}

Withdrawal due_withdrawal(const Task& task, const Persons& persons, const PersonClasses& classes,
                          const BuildRules& rules, std::uint32_t build) {
  Withdrawal due;
  std::vector<std::uint32_t> changed = persons_with(RowStatus::Changed, classes);
  if (!is_due(changed, classes, rules)) return due;
  std::vector<std::uint32_t> others = persons_with(RowStatus::Shown, classes);
  due.shown = changed.size() + others.size();
  due.company = draw(task.key, persons, others, changed.size(), build);
  due.changed = std::move(changed);
  return due;
}

void withdraw(const Withdrawal& due, PersonClasses& classes) {
  for (std::uint32_t p : due.changed) classes.entries[p].status = RowStatus::Withdrawn;
  for (std::uint32_t p : due.company) classes.entries[p].status = RowStatus::Company;
}

}  // namespace rankveil
