#include "rankveil/audit/like_rows.h"

#include <algorithm>

namespace rankveil::audit {

namespace {

const SecretKey& no_key() {  // grouping draws nothing
  static const SecretKey key = SecretKey::from_seed(1);
  return key;
}

Task task_of(const Table& table, const Mechanism& known) {
  return {.table = table,
          .workload = known.workload,
          .demand = known.demand,
          .key = no_key(),
          .ladder = known.ladder,
          .taking_part = known.taking_part};
}

}  // namespace

KnownGroups like_rows(const Table& table, const Mechanism* mechanism) {
  Mechanism none;
  return climbed_groups(task_of(table, mechanism != nullptr ? *mechanism : none));
}

KnownGroups like_rows(const Observed& observed) {
  const auto& mechanism = observed.mechanism;
  if (mechanism && !mechanism->one_batch && mechanism->released) {
    return released_groups(task_of(observed.table, *mechanism), *mechanism->released);
  }
  return like_rows(observed.table, mechanism ? &*mechanism : nullptr);
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
  for (std::size_t g = 0; g < groups.groups.size(); ++g) {
    if (groups.groups[g].whole()) continue;
    const auto& released = groups.groups[g].released_shares[attribute];
    std::copy(released.begin(), released.end(),
              shares_.begin() + static_cast<std::ptrdiff_t>(g * codes_));
  }
}

}  // namespace rankveil::audit
