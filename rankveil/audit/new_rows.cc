#include "rankveil/audit/new_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "rankveil/base/random.h"

namespace rankveil::audit {
namespace {

using Values = std::vector<ValueId>;

Values public_values(const Table& table, RowId row) {
  Values values;
  for (std::uint32_t i = 0; i < table.schema().public_count(); ++i) {
    values.push_back(table.value(row, AttributeId{i}));
  }
  return values;
}

// The rows that share public values, found by those.
using Peers = std::map<Values, std::vector<std::uint32_t>>;

Peers peers_of(const Table& table) {
  Peers peers;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    peers[public_values(table, RowId{row})].push_back(row);
  }
  return peers;
}

// Some rows of a table, and a new one behind them.
Table with_new_row(const Table& table, const std::vector<std::uint32_t>& rows,
                   std::span<const ValueId> values) {
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    const Column& column = table.column(AttributeId{i});
    Values cells;
    for (std::uint32_t row : rows) cells.push_back(column.value(RowId{row}));
    cells.push_back(values[i]);
    columns.emplace_back(column.domain_size(), cells);
  }
  std::vector<std::int64_t> names(rows.begin(), rows.end());
  names.push_back(table.rows());
  return Table(table.schema(), std::move(columns), RowNames(IntegerNames{std::move(names)}));
}

// Strengths in whole steps. Those that add up to 1 still do: rounded one by one they could come to
// more, and no row of a ranking matches so much.
std::vector<std::uint32_t> in_steps(const std::vector<double>& strengths, std::uint32_t levels) {
  constexpr double parts = 1e6;  // of a step
  std::vector<std::uint32_t> steps;
  std::vector<std::pair<std::int64_t, std::size_t>> left;  // parts, and the value
  std::int64_t sum = 0;
  for (std::size_t v = 0; v < strengths.size(); ++v) {
    auto exact = std::llround(strengths[v] * levels * parts);
    auto whole = static_cast<std::int64_t>(parts);
    steps.push_back(static_cast<std::uint32_t>(exact / whole));
    left.emplace_back(-(exact % whole), v);
    sum += exact % whole;
  }
  std::sort(left.begin(), left.end());
  auto more = static_cast<std::size_t>(std::llround(static_cast<double>(sum) / parts));
  for (std::size_t i = 0; i < more; ++i) ++steps[left[i].second];
  return steps;
}

LevelProfiles row_of_levels(const LevelProfiles& like, const Profiles& from, RowId row) {
  LevelProfiles made(1, like.domain_sizes(), like.levels());
  for (std::uint32_t j = 0; j < like.domain_sizes().size(); ++j) {
    std::vector<double> strengths;
    for (std::uint32_t v = 0; v < like.domain_sizes()[j]; ++v) {
      strengths.push_back(from.match(row, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)}));
    }
    std::vector<std::uint32_t> steps = in_steps(strengths, like.levels());
    for (std::uint32_t v = 0; v < steps.size(); ++v) {
      if (steps[v] == 0) continue;
      made.set(RowId{0}, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)}, steps[v]);
    }
  }
  return made;
}

// One row that has the shares of `group`, and no signal.
Profiles row_of_shares(const GroupedProfiles& like, const GroupShares& from, std::uint32_t group) {
  const auto& domains = like.signals.domain_sizes();
  GroupShares shares(1, domains);
  shares.set_in_full(0);
  shares.set_sum(0, from, {&group, 1});
  return GroupedProfiles{
      like.keep, LevelProfiles(1, domains, like.signals.levels()), {0}, std::move(shares)};
}

// Shares of the whole table, for rows that are like nobody.
GroupShares table_shares(const Task& task) {
  GroupShares shares(1, task.private_domain_sizes());
  shares.set_size(0, std::max(1U, task.table.rows()));
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    std::vector<std::uint32_t> counts(task.private_domain_sizes()[j]);
    task.private_column(PrivateId{j}).for_each([&](std::size_t, std::uint32_t v) { ++counts[v]; });
    for (std::uint32_t v = 0; v < counts.size(); ++v) {
      shares.set_count(0, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)}, counts[v]);
    }
  }
  return shares;
}

// The group that most of the rows are in; the first of those that tie.
std::uint32_t most_common_group(const GroupedProfiles& served,
                                const std::vector<std::uint32_t>& rows) {
  std::map<std::uint32_t, std::uint32_t> counts;
  for (std::uint32_t row : rows) ++counts[served.group_of[row]];
  auto most = std::max_element(counts.begin(), counts.end(),
                               [](const auto& a, const auto& b) { return a.second < b.second; });
  return most->first;
}

// Shows nothing of the row until others have come to hide it.
attack::MakeProfile waiting_rows(const Task& task, const GroupedProfiles& served) {
  auto peers = std::make_shared<Peers>(peers_of(task.table));
  auto all = std::make_shared<GroupShares>(table_shares(task));
  std::uint32_t publics = task.table.schema().public_count();
  return [&served, peers, all, publics](std::span<const ValueId> values) -> Result<Profiles> {
    auto found = peers->find(Values(values.begin(), values.begin() + publics));
    if (found == peers->end()) return row_of_shares(served, *all, 0);
    return row_of_shares(served, served.shares, most_common_group(served, found->second));
  };
}

// Leaves `most` of them, in their order.
void thin_out(std::vector<std::uint32_t>& rows, std::uint32_t most) {
  if (rows.size() <= most) return;
  Rng rng(rows.size());
  for (std::size_t i = 0; i < most; ++i) std::swap(rows[i], rows[i + rng.below(rows.size() - i)]);
  rows.resize(most);
  std::sort(rows.begin(), rows.end());
}

// Runs the scheme on the row, among its peers where it needs them.
attack::MakeProfile protected_rows(const Task& task, const Profiles& served, bool takes_cover,
                                   std::uint32_t most_peers) {
  auto peers = std::make_shared<Peers>(takes_cover ? peers_of(task.table) : Peers{});
  for (auto& [values, rows] : *peers) thin_out(rows, most_peers);
  std::uint32_t publics = task.table.schema().public_count();
  return [&task, &served, peers, publics](std::span<const ValueId> values) -> Result<Profiles> {
    auto found = peers->find(Values(values.begin(), values.begin() + publics));
    static const std::vector<std::uint32_t> nobody;
    Table table = with_new_row(task.table, found == peers->end() ? nobody : found->second, values);
    Demand demand = task.demand;
    demand.fallback = Fallback::Suppress;  // shares would be those of these few rows
    Task small{.table = table, .workload = task.workload, .demand = demand, .key = task.key};
    small.threads = 1;
    auto made = protect(small);
    if (!made) return made.error();
    return as_served(served, made->profiles, RowId{table.rows() - 1});
  };
}

}  // namespace

Profiles as_served(const Profiles& served, const Profiles& from, RowId row) {
  if (const auto* levels = std::get_if<LevelProfiles>(&served.kinds())) {
    return row_of_levels(*levels, from, row);
  }
  const auto& grouped = std::get<GroupedProfiles>(served.kinds());
  GroupShares nothing(1, grouped.signals.domain_sizes());
  nothing.set_in_full(0);
  nothing.set_size(0, 1);
  return GroupedProfiles{
      grouped.keep, row_of_levels(grouped.signals, from, row), {0}, std::move(nothing)};
}

attack::MakeProfile new_rows(const Task& task, const Profiles& served, std::uint32_t most_peers) {
  const Scheme& scheme = *find_scheme(task.demand.scheme);
  const auto* grouped = std::get_if<GroupedProfiles>(&served.kinds());
  if (scheme.climbs && grouped != nullptr) return waiting_rows(task, *grouped);
  return protected_rows(task, served, scheme.takes_cover, most_peers);
}

}  // namespace rankveil::audit
