#include "rankveil/audit/like_rows.h"

namespace rankveil::audit {

KnownGroups like_rows(const Table& table, const Mechanism* mechanism) {
  Mechanism none;
  const Mechanism& known = mechanism != nullptr ? *mechanism : none;
  SecretKey key = SecretKey::from_seed(1);  // grouping draws nothing
  Task task{.table = table,
            .workload = known.workload,
            .demand = known.demand,
            .key = key,
            .ladder = known.ladder,
            .taking_part = known.taking_part};
  return climbed_groups(task);
}

KnownGroups like_rows(const Observed& observed) {
  return like_rows(observed.table, observed.mechanism ? &*observed.mechanism : nullptr);
}

AttributeShares::AttributeShares(const Table& table, std::uint32_t attribute,
                                 const KnownGroups& groups) {
  const Column& column = table.column(AttributeId{table.schema().public_count() + attribute});
  codes_ = column.domain_size() + 1;
  shares_.assign(groups.groups.size() * codes_, 0);
  code_of_.reserve(table.rows());
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    ValueId value = column.value(RowId{row});
    code_of_.push_back(value == missing_value ? codes_ - 1 : +value);
    std::uint32_t group = groups.group_of[row];
    shares_[std::size_t{group} * codes_ + code_of_.back()] +=
        1 / static_cast<double>(groups.groups[group].rows.size());
  }
}

}  // namespace rankveil::audit
