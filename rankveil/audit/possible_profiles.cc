#include "rankveil/audit/possible_profiles.h"

#include <algorithm>
#include <array>

#include "rankveil/audit/likelihood.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::audit {

namespace {

constexpr std::array<std::string_view, 4> without_draws = {"pvsv", "generalise", "pvst", "drop"};

std::vector<std::uint32_t> groups_for(const Task& task) {
  if (!depends_on_value_alone(task.demand.scheme)) return public_groups(task).group_of;
  return std::vector<std::uint32_t>(task.table.rows(), 0);
}

void sort_once(std::vector<std::uint32_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

Result<PossibleProfiles> PossibleProfiles::of_scheme(const Table& table, const Mechanism& mechanism,
                                                     std::uint32_t threads) {
  PossibleProfiles made;
  bool few = std::find(without_draws.begin(), without_draws.end(), mechanism.demand.scheme) !=
             without_draws.end();
  if (!few || table.rows() == 0) return made;
  SecretKey key = SecretKey::from_seed(0);  // no draw hangs on it
  Task task{.table = table,
            .workload = mechanism.workload,
            .demand = mechanism.demand,
            .key = key,
            .ladder = mechanism.ladder,
            .taking_part = mechanism.taking_part,
            .threads = threads};
  auto simulated = protect(task);
  if (!simulated) return simulated.error();
  made.group_of_ = groups_for(task);
  std::uint32_t groups = *std::max_element(made.group_of_.begin(), made.group_of_.end()) + 1;
  made.numbers_.resize(task.private_count());
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    auto kinds = kinds_of(simulated->profiles, PrivateId{j}, made.numbers_[j]);
    auto& by_group = made.kinds_.emplace_back(groups);
    for (std::size_t row = 0; row < kinds.size(); ++row) {
      by_group[made.group_of_[row]].push_back(kinds[row]);
    }
    for (auto& list : by_group) sort_once(list);
  }
  return made;
}

std::vector<const Strengths*> PossibleProfiles::of(std::uint32_t attribute, RowId row) const {
  std::vector<const Strengths*> list;
  if (kinds_.empty()) return list;
  for (std::uint32_t kind : kinds_[attribute][group_of_[+row]]) {
    list.push_back(&numbers_[attribute].of(kind));
  }
  return list;
}

}  // namespace rankveil::audit
