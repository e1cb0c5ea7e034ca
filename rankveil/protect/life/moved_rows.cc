#include "rankveil/protect/life/moved_rows.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "rankveil/base/text/json_values.h"
#include "rankveil/protect/ledger/sealed_values.h"
#include "rankveil/protect/swap/shown_groups.h"

namespace rankveil {

namespace {

// Logarithms of shares, in hundredths.
using ShareLogs = std::vector<std::int32_t>;
constexpr double unit_of_logs = 100;
constexpr std::int32_t min_log = -2000;

std::int32_t log_of(std::uint32_t count, std::uint32_t size) {
  if (count == 0 || size == 0) return min_log;
  double log = std::log(static_cast<double>(count) / size) * unit_of_logs;
  return std::max(min_log, static_cast<std::int32_t>(std::lround(log)));
}

// ---- What the ledger keeps ----

using KeptLogs = std::unordered_map<std::string, ShareLogs>;

KeptLogs kept_logs(const Json& state) {
  std::vector<std::pair<std::string, ShareLogs>> logs;
  if (const Json* moved = state.find("moved")) read_json(*moved, logs);
  return {logs.begin(), logs.end()};
}

Json with_moved(const Json& state, Json::Object moved) {
  Json made;
  for (const auto& [name, value] : *state.as_object()) {
    if (name != "moved") made.set(name, value);
  }
  if (!moved.empty()) made.set("moved", std::move(moved));
  return made;
}

// ---- Who has other public values ----

// Columns of the last index in codes of the table.
class ValuesBefore {
 public:
  ValuesBefore(const Task& task, const Index& index) : task_(task), index_(index) {
    const Schema& schema = task.table.schema();
    for (std::uint32_t i = 0; i < schema.public_count(); ++i) {
      auto found = index.schema().find(schema.attributes[i].name);
      if (found && !index.schema()[*found].is_private()) add(AttributeId{i}, *found);
    }
  }

  bool differ(RowId row, std::uint32_t before) const {
    return std::ranges::any_of(columns_, [&](const ColumnPair& pair) {
      ValueId was = index_.public_value(RowId{before}, pair.before);
      if (was != missing_value) was = pair.code_now[+was];
      return was != task_.table.value(row, pair.now);
    });
  }

 private:
  struct ColumnPair {
    AttributeId now, before;
    std::vector<ValueId> code_now;
  };

  void add(AttributeId now, AttributeId before) {
    ColumnPair& pair = columns_.emplace_back();
    pair.now = now;
    pair.before = before;
    for (const std::string& text : index_.schema()[before].domain.values()) {
      auto found = task_.table.schema()[now].domain.find(text);
      pair.code_now.push_back(found.value_or(missing_value));
    }
  }

  const Task& task_;
  const Index& index_;
  std::vector<ColumnPair> columns_;
};

class MovedRowFinder {
 public:
  MovedRowFinder(const Task& task, const BuildBefore& before, const BuildRules& rules,
                 const ShownEarlier& earlier, const Json& state, const ShownGroups& groups)
      : task_(task),
        before_(before),
        earlier_(earlier),
        groups_(groups),
        values_(task, before.index),
        hashes_(task.key, task.table, before.ledger.public_columns),
        kept_(kept_logs(state)),
        shares_(groups.count(), task.private_domain_sizes()) {
    for (const auto& [was, now] : rules.new_ids) names_before_.emplace(now, was);
    for (std::uint32_t g = 0; g < groups.count(); ++g) groups.fill(g, g, shares_);
  }

  MovedRows run(Json::Object& kept) {
    std::vector<Moved> all;
    std::set<std::uint32_t> out;
    for (std::uint32_t row = 0; row < task_.table.rows(); ++row) {
      if (before_.row_of[row] == UINT32_MAX || earlier_.rows[row] == 0) continue;
      auto logs = logs_of_moved(RowId{row});
      if (!logs) continue;
      if (!groups_.knows_values_of(task_, RowId{row})) {
        keep(RowId{row}, *logs, kept);
        continue;
      }
      double believed = belief(RowId{row}, *logs);
      all.push_back({RowId{row}, believed, std::move(*logs)});
      if (all.back().belief > max_believed_of_moved) out.insert(person(RowId{row}));
    }
    MovedRows made;
    for (const Moved& moved : all) {
      if (out.contains(person(moved.row))) continue;
      made.rows.push_back(moved.row);
      made.largest_belief = std::max(made.largest_belief, moved.belief);
      keep(moved.row, moved.released, kept);
    }
    made.persons.assign(out.begin(), out.end());
    for (std::uint32_t p : out) made.out += before_.persons.row_count(p);
    return made;
  }

 private:
  struct Moved {
    RowId row;
    double belief;
    ShareLogs released;
  };

  void keep(RowId row, const ShareLogs& logs, Json::Object& kept) const {
    kept.emplace_back(task_.table.names().text(row), json_of(logs));
  }

  std::uint32_t person(RowId row) const { return before_.persons.of(row); }

  // Logs of the shares of what it shows, in the base it was released with. Nothing: it never moved.
  std::optional<ShareLogs> logs_of_moved(RowId row) const {
    std::string name = task_.table.names().text(row);
    auto was = names_before_.find(name);
    auto kept = kept_.find(was == names_before_.end() ? name : was->second);
    if (kept != kept_.end() && kept->second.size() == task_.private_count()) return kept->second;
    if (!values_.differ(row, before_.row_of[+row]) && !has_other_hashes(row)) return std::nullopt;
    return logs_in(before_.profiles.shares, before_.profiles.group_of[before_.row_of[+row]], row);
  }

  // Whether some public value has another hash, also of columns that the last index lacked.
  bool has_other_hashes(RowId row) const {
    const LedgerEntry* entry = before_.classes.before[person(row)];
    auto hashes = before_.ledger.public_hashes(*entry);
    RowId first = before_.persons.row(person(row), 0);
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      if (hashes_.has(i) && hashes[i] != hashes_.of(first, i)) return true;
    }
    return false;
  }

  ShareLogs logs_in(const GroupShares& shares, std::uint32_t group, RowId row) const {
    ShareLogs logs;
    for (std::uint32_t j = 0; j < task_.private_count(); ++j) {
      ValueId shown = earlier_.values[j].value(row);
      bool known = shown != missing_value && +shown < shares.domain_sizes()[j];
      std::uint32_t count = known ? shares.count(group, PrivateId{j}, shown) : 0;
      logs.push_back(shown == missing_value ? 0 : log_of(count, shares.size(group)));
    }
    return logs;
  }

  // In the coin of some column.
  double belief(RowId row, const ShareLogs& released) const {
    ShareLogs now = logs_in(shares_, groups_.group_of(task_, row), row);
    double odds = 1.0 / (task_.demand.l - 1.0);
    double largest = 0;
    for (std::size_t j = 0; j < now.size(); ++j) {
      double ratio = std::exp((now[j] - released[j]) / unit_of_logs);
      largest = std::max(largest, odds * ratio / (1 + odds * ratio));
    }
    return largest;
  }

  const Task& task_;
  const BuildBefore& before_;
  const ShownEarlier& earlier_;
  const ShownGroups& groups_;
  ValuesBefore values_;
  PublicHashes hashes_;
  KeptLogs kept_;
  std::unordered_map<std::string, std::string> names_before_;
  GroupShares shares_;
};

}  // namespace

Result<MovedRows> find_moved_rows(const Task& task, const BuildBefore& before,
                                  const BuildRules& rules, const ShownEarlier& earlier,
                                  Json& state) {
  auto groups = kept_groups(&state, task);
  if (!groups) return groups.error();
  if (!*groups) return MovedRows{};
  Json::Object moved;
  MovedRows made = MovedRowFinder(task, before, rules, earlier, state, **groups).run(moved);
  state = with_moved(state, std::move(moved));
  return made;
}

}  // namespace rankveil
