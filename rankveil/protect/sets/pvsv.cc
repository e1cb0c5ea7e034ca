#include "rankveil/protect/sets/pvsv.h"

#include <algorithm>
#include <numeric>

#include "rankveil/protect/groups/asked_values.h"

namespace rankveil {

namespace {

std::vector<std::uint32_t> least_asked_first(const std::vector<std::uint64_t>& asked) {
  std::vector<std::uint32_t> order(asked.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return asked[a] < asked[b]; });
  return order;
}

// `own` (the domain's size: no value), and the first of `order` until there are l.
std::vector<ValueId> set_of(std::uint32_t own, const std::vector<std::uint32_t>& order,
                            std::uint32_t l) {
  std::vector<ValueId> set;
  if (own < order.size()) set.push_back(ValueId{static_cast<std::uint16_t>(own)});
  for (std::uint32_t value : order) {
    if (set.size() >= l) break;
    if (value != own) set.push_back(ValueId{static_cast<std::uint16_t>(value)});
  }
  return set;
}

ValueSets sets_of(const std::vector<std::uint64_t>& asked, std::uint32_t l) {
  std::vector<std::uint32_t> order = least_asked_first(asked);
  ValueSets sets;
  for (std::uint32_t own = 0; own <= asked.size(); ++own) sets.push_back(set_of(own, order, l));
  return sets;
}

}  // namespace

std::vector<ValueSets> pvsv_sets(const Schema& schema, const Workload& workload, std::uint32_t l) {
  std::vector<ValueSets> sets;
  for (const auto& asked : asked_values(schema, workload)) sets.push_back(sets_of(asked, l));
  return sets;
}

Result<Protection> protect_pvsv(const Task& task) {
  return give_value_sets(task, pvsv_sets(task.table.schema(), task.workload, task.demand.l));
}

}  // namespace rankveil
