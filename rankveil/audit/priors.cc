#include "rankveil/audit/priors.h"

#include <algorithm>
#include <utility>

namespace rankveil::audit {

namespace {

NearestGroups groups_of(const Table& table, const std::vector<std::vector<AttributeId>>& ladder,
                        std::uint32_t min_group) {
  Demand demand;
  demand.min_group = std::clamp(min_group, 1U, std::max(table.rows(), 1U));
  Workload none;
  SecretKey unused = SecretKey::from_seed(0);
  Task task{.table = table, .workload = none, .demand = demand, .key = unused, .ladder = ladder};
  std::vector<RowId> rows;
  for (std::uint32_t row = 0; row < table.rows(); ++row) rows.push_back(RowId{row});
  return nearest_groups(task, rows);
}

std::vector<double> shares_in_table(const Column& column) {
  std::vector<double> shares(column.domain_size(), 0);
  column.for_each([&](std::size_t, std::uint32_t value) { shares[value] += 1; });
  for (double& share : shares)
    share /= static_cast<double>(std::max<std::size_t>(column.size(), 1));
  return shares;
}

}  // namespace

Priors::Priors(const Table& table, const std::vector<std::vector<AttributeId>>& ladder,
               std::uint32_t min_group, SparedValues spared)
    : groups_(groups_of(table, ladder, min_group)), spared_(std::move(spared)) {
  std::uint32_t first = table.schema().public_count();
  for (std::uint32_t j = 0; j < table.schema().private_count(); ++j) {
    overall_.push_back(shares_in_table(table.column(AttributeId{first + j})));
    auto& best = best_.emplace_back(groups_.count(), 0.0);
    for (std::uint32_t group = 0; group < groups_.count(); ++group) {
      for (std::uint32_t v = 0; v < domain(PrivateId{j}); ++v) {
        if (spared_.has(PrivateId{j}, v)) continue;
        std::uint32_t count =
            groups_.shares.count(group, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)});
        best[group] =
            std::max(best[group], static_cast<double>(count) / groups_.shares.size(group));
      }
    }
  }
}

double Priors::share(std::uint32_t row, PrivateId attribute, ValueId value) const {
  std::uint32_t group = groups_.group_of[row];
  double size = groups_.shares.size(group);
  if (value != missing_value) return groups_.shares.count(group, attribute, value) / size;
  double rest = size;
  for (std::uint32_t v = 0; v < domain(attribute); ++v) {
    rest -= groups_.shares.count(group, attribute, ValueId{static_cast<std::uint16_t>(v)});
  }
  return rest / size;
}

double Priors::best(std::uint32_t row, PrivateId attribute) const {
  return best_[+attribute][groups_.group_of[row]];
}

}  // namespace rankveil::audit
