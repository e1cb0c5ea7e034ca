#include "rankveil/protect/pvst/cover/vectors.h"

#include <fmt/core.h>

#include "rankveil/protect/groups/asked_values.h"
#include "rankveil/ranking/weights.h"
#include "rankveil/table/row_groups.h"

namespace rankveil::cover {

namespace {

// So that a loss, and what is saved of it, fit 64 bits.
constexpr unsigned __int128 largest_loss = std::uint64_t{1} << 62;

Status check_size(const std::vector<std::vector<std::uint64_t>>& asked, const Weights& weights,
                  std::uint32_t publics) {
  unsigned __int128 total = 0;
  for (std::size_t j = 0; j < asked.size(); ++j) {
    for (std::uint64_t count : asked[j]) {
      total += static_cast<unsigned __int128>(count) *
               static_cast<std::uint64_t>(weights.units[publics + j]);
      if (total <= largest_loss) continue;
      return bad_input(fmt::format(
          "the counts of the workload are too large for its weights (a value is asked for {} "
          "times); divide all counts by the same number",
          count));
    }
  }
  return {};
}

std::vector<Loss> add_up(const Vectors& vectors) {
  std::vector<Loss> loss(vectors.count, 0);
  std::vector<std::uint8_t> known(vectors.count, 0);
  for (std::uint32_t row = 0; row < vectors.number.size(); ++row) {
    std::uint32_t vector = vectors.number[row];
    if (known[vector] != 0) continue;
    known[vector] = 1;
    for (std::uint32_t j = 0; j < vectors.attributes(); ++j) {
      loss[vector] += vectors.cost[j][vectors.code(row, j)];
    }
  }
  return loss;
}

}  // namespace

Result<Vectors> vectors_of(const Task& task) {
  Weights weights = weights_of(task.table.schema());
  auto asked = asked_values(task.table.schema(), task.workload);
  std::uint32_t publics = task.table.schema().public_count();
  if (auto fits = check_size(asked, weights, publics); !fits) return fits.error();
  Vectors made;
  std::vector<AttributeId> attributes;
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    attributes.push_back(task.private_attribute(PrivateId{j}));
    made.columns.push_back(&task.private_column(PrivateId{j}));
    made.domains.push_back(made.columns.back()->domain_size());
    auto& cost = made.cost.emplace_back();
    for (std::uint64_t count : asked[j]) {
      cost.push_back(static_cast<Loss>(count) * weights.units[publics + j]);
    }
    cost.push_back(0);
  }
  RowGroups groups = group_rows(task.table, attributes);
  made.count = groups.count();
  made.number = std::move(groups.group_of);
  made.loss = add_up(made);
  return made;
}

}  // namespace rankveil::cover
