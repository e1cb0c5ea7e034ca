#include "rankveil/protect/release.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/ladder.h"
#include "rankveil/protect/option_names.h"
#include "rankveil/table/row_groups.h"

namespace rankveil {

namespace {

constexpr std::uint32_t nowhere = UINT32_MAX;

std::vector<VectorHash> hashes_of(const Task& task) {
  constexpr std::uint32_t piece = 4096;
  std::uint32_t rows = task.table.rows();
  std::vector<VectorHash> hashes(rows);
  parallel_for((rows + piece - 1) / piece, task.threads, [&](std::size_t i) {
    auto begin = static_cast<std::uint32_t>(i * piece);
    for (std::uint32_t row = begin; row < std::min(rows, begin + piece); ++row) {
      hashes[row] = hash_of_values(task.key, task.table, RowId{row});
    }
  });
  return hashes;
}

// Whether each row gets something to show: it takes part, and has enough rows like it.
std::vector<bool> rows_shown(const Task& task, bool climbs) {
  std::vector<bool> shown(task.table.rows());
  if (!climbs) {
    for (std::uint32_t row = 0; row < shown.size(); ++row) shown[row] = task.takes_part(RowId{row});
    return shown;
  }
  Climb made = climb(task);
  for (std::uint32_t row = 0; row < shown.size(); ++row) {
    shown[row] = made.group_of[row] != Climb::no_group;
  }
  return shown;
}

void freeze_shares(const Task& task, const std::vector<bool>& shown, Ledger& ledger) {
  std::vector<RowId> rows;
  for (std::uint32_t row = 0; row < shown.size(); ++row) {
    if (shown[row]) rows.push_back(RowId{row});
  }
  GroupShares shares(1, task.private_domain_sizes());
  count_values(task, rows, 0, shares);
  ledger.share_rows = rows.size();
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    const Attribute& attribute = task.attribute(PrivateId{j});
    auto& counts = ledger.shares.emplace_back();
    counts.first = attribute.name;
    for (std::uint32_t v = 0; v < attribute.domain.size(); ++v) {
      ValueId value{static_cast<std::uint16_t>(v)};
      counts.second.emplace_back(attribute.domain.text(value),
                                 shares.count(0, PrivateId{j}, value));
    }
  }
}

}  // namespace

Json release_parameters(const Demand& demand, const SecretKey& key) {
  Json parameters;
  parameters.set("scheme", demand.scheme).set("l", demand.l);
  const Scheme* scheme = find_scheme(demand.scheme);
  if (scheme != nullptr) {
    for (std::string_view option : scheme->options) {
      parameters.set(std::string(option), option_text(demand, option));
    }
  }
  return parameters.set("key", key.fingerprint());
}

Result<Release> first_release(const Task& task, std::uint32_t number) {
  auto made = protect(task);
  if (!made) return made.error();
  const Scheme& scheme = *find_scheme(task.demand.scheme);
  Release release{std::move(made->profiles), std::move(made->report), {}, {}};
  release.ledger.parameters = release_parameters(task.demand, task.key);
  release.ledger.release = number;
  std::vector<bool> shown = rows_shown(task, scheme.climbs);
  freeze_shares(task, shown, release.ledger);
  std::vector<VectorHash> hashes = hashes_of(task);
  for (std::uint32_t row = 0; row < shown.size(); ++row) {
    RowStatus status = shown[row] ? RowStatus::Shown : RowStatus::Waiting;
    ++(shown[row] ? release.counts.released : release.counts.waiting);
    release.ledger.rows.emplace(task.table.names().text(RowId{row}),
                                LedgerEntry{hashes[row], status, shown[row] ? 1U : 0U});
  }
  return release;
}

// ---- The next one ----

namespace {

Status check_parameters(const Json& old, const Json& now) {
  if (old.dump(-1) == now.dump(-1)) return {};
  for (const auto& [name, value] : *now.as_object()) {
    const Json* before = old.find(name);
    std::string was = before == nullptr ? "not given" : before->dump(-1);
    if (was == value.dump(-1)) continue;
    return wrong_use(fmt::format(
        "rows cannot keep what they show: {} was {} in the last build and is {} now; keep it, or "
        "start over with --new-release, which gives whoever holds both releases more to go by",
        name, was, value.dump(-1)));
  }
  return wrong_use("the last build was made by another version; start over with --new-release");
}

// What happens to each row of the table.
struct Classes {
  std::vector<std::uint32_t> old_row;    // kept rows: where they are in the old profiles
  std::vector<std::uint8_t> candidates;  // 1: may get something to show now
  std::vector<LedgerEntry> entries;      // as the new ledger has them, but for candidates' status
  std::uint64_t gone = 0;
};

std::unordered_map<std::string, std::uint32_t> live_rows(const Index& index) {
  std::unordered_map<std::string, std::uint32_t> rows;
  std::uint32_t number = 0;
  for (std::uint32_t row = 0; row < index.rows(); ++row) {
    if (index.is_live(RowId{row})) rows.emplace(index.name(RowId{row}), number++);
  }
  return rows;
}

struct Classifier {
  const Task& task;
  const Ledger& ledger;
  const std::unordered_map<std::string, std::uint32_t>& old_rows;
  bool release_changed;
  Classes made = {};

  void set_candidate(std::uint32_t row) {
    made.entries[row].status = RowStatus::Waiting;
    bool allowed = task.takes_part(RowId{row});
    made.candidates[row] = allowed ? 1 : 0;
  }

  // A row that once showed something and must not show it now.
  void set_changed(std::uint32_t row) {
    made.entries[row].status = RowStatus::Withdrawn;
    if (release_changed) set_candidate(row);
  }

  Status add(std::uint32_t row, const std::string& name, const VectorHash& hash) {
    LedgerEntry& entry = made.entries[row];
    auto known = ledger.rows.find(name);
    if (known == ledger.rows.end()) {
      entry.values = hash;
      set_candidate(row);
      return {};
    }
    entry = known->second;
    bool same = entry.values == hash;
    entry.values = hash;
    if (entry.status == RowStatus::Waiting) {
      set_candidate(row);
    } else if (entry.status == RowStatus::Shown && same) {
      auto old = old_rows.find(name);
      if (old == old_rows.end()) {
        return bad_input(
            fmt::format("row {} is in the ledger and not in the index; the two do not "
                        "belong together",
                        name));
      }
      made.old_row[row] = old->second;
    } else {
      set_changed(row);
    }
    return {};
  }
};

Result<Classes> classify(const Task& task, const Index& old, const Ledger& ledger,
                         bool release_changed) {
  auto old_rows = live_rows(old);
  Classifier classifier{task, ledger, old_rows, release_changed};
  std::uint32_t rows = task.table.rows();
  classifier.made.old_row.assign(rows, nowhere);
  classifier.made.candidates.assign(rows, 0);
  classifier.made.entries.resize(rows);
  std::vector<VectorHash> hashes = hashes_of(task);
  std::uint64_t known = 0;
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::string name = task.table.names().text(RowId{row});
    known += ledger.rows.contains(name) ? 1 : 0;
    if (auto added = classifier.add(row, name, hashes[row]); !added) return added.error();
  }
  std::uint64_t gone_before = 0;
  for (const auto& entry : ledger.rows) gone_before += entry.second.status == RowStatus::Gone;
  classifier.made.gone =
      ledger.rows.size() - known - std::min(gone_before, ledger.rows.size() - known);
  return std::move(classifier.made);
}

// Which of two sources a row's profile comes from, or the group whose shares it is served.
struct GroupKey {
  enum class From { None, Old, Fresh, Table } from = From::None;
  std::uint32_t group = 0;
  bool in_full = true;

  auto operator<=>(const GroupKey&) const = default;
};

const LevelProfiles& signals_of(const Profiles& profiles) {
  if (const auto* levels = std::get_if<LevelProfiles>(&profiles.kinds())) return *levels;
  return std::get<GroupedProfiles>(profiles.kinds()).signals;
}

const GroupedProfiles* grouped(const Profiles& profiles) {
  return std::get_if<GroupedProfiles>(&profiles.kinds());
}

Fraction keep_of(const Profiles& profiles) {
  return grouped(profiles) == nullptr ? Fraction{1, 1} : grouped(profiles)->keep;
}

GroupKey key_of(const Profiles& profiles, GroupKey::From from, std::uint32_t row) {
  const GroupedProfiles* groups = grouped(profiles);
  if (groups == nullptr) return {};
  std::uint32_t group = groups->group_of[row];
  return {from, group, groups->shares.in_full(group)};
}

// Profiles put together from the old ones, fresh ones and frozen shares.
class Merger {
 public:
  Merger(const Task& task, const Ledger& ledger, const Profiles& old, const Profiles* fresh)
      : task_(task),
        ledger_(ledger),
        old_(old),
        fresh_(fresh),
        signals_(task.table.rows(), task.private_domain_sizes(), signals_of(old).levels()),
        keys_(task.table.rows()) {}

  void take_old(const std::vector<std::uint32_t>& old_row) {
    std::vector<std::uint32_t> new_row(old_.rows(), nowhere);
    for (std::uint32_t row = 0; row < old_row.size(); ++row) {
      if (old_row[row] == nowhere) continue;
      new_row[old_row[row]] = row;
      keys_[row] = key_of(old_, GroupKey::From::Old, old_row[row]);
    }
    copy(signals_of(old_), new_row);
  }

  void take_fresh(const std::vector<bool>& wanted) {
    std::vector<std::uint32_t> new_row(wanted.size(), nowhere);
    for (std::uint32_t row = 0; row < wanted.size(); ++row) {
      if (!wanted[row]) continue;
      new_row[row] = row;
      keys_[row] = key_of(*fresh_, GroupKey::From::Fresh, row);
    }
    copy(signals_of(*fresh_), new_row);
  }

  void give_shares(std::uint32_t row, GroupKey key) { keys_[row] = key; }

  Profiles finish() && {
    bool plain = std::all_of(keys_.begin(), keys_.end(),
                             [](const GroupKey& key) { return key.from == GroupKey::From::None; });
    if (plain && grouped(old_) == nullptr) return std::move(signals_);
    std::map<GroupKey, std::uint32_t> numbers;
    std::vector<std::uint32_t> group_of;
    group_of.reserve(keys_.size());
    for (const GroupKey& key : keys_) {
      auto next = static_cast<std::uint32_t>(numbers.size());
      group_of.push_back(numbers.try_emplace(key, next).first->second);
    }
    GroupShares shares(static_cast<std::uint32_t>(numbers.size()), task_.private_domain_sizes());
    for (const auto& [key, number] : numbers) fill(key, number, shares);
    return GroupedProfiles{keep_of(old_), std::move(signals_), std::move(group_of),
                           std::move(shares)};
  }

 private:
  void copy(const LevelProfiles& from, const std::vector<std::uint32_t>& new_row) {
    for (std::uint32_t j = 0; j < from.domain_sizes().size(); ++j) {
      PrivateId id{j};
      from.for_each_bit(id, [&](RowId row, ValueId value, std::uint32_t bit) {
        if (new_row[+row] == nowhere) return;
        RowId to{new_row[+row]};
        signals_.set(to, id, value, signals_.strength(to, id, value) | (1U << bit));
      });
    }
  }

  void fill(const GroupKey& key, std::uint32_t number, GroupShares& shares) const {
    if (key.in_full) shares.set_in_full(number);
    if (key.from == GroupKey::From::Table) return fill_table_shares(number, shares);
    if (key.from == GroupKey::From::None) return;
    const GroupShares& from = grouped(key.from == GroupKey::From::Old ? old_ : *fresh_)->shares;
    shares.set_size(number, from.size(key.group));
    for (std::uint32_t j = 0; j < from.domain_sizes().size(); ++j) {
      for (std::uint32_t v = 0; v < from.domain_sizes()[j]; ++v) {
        ValueId value{static_cast<std::uint16_t>(v)};
        shares.set_count(number, PrivateId{j}, value, from.count(key.group, PrivateId{j}, value));
      }
    }
  }

  void fill_table_shares(std::uint32_t number, GroupShares& shares) const {
    shares.set_size(number,
                    static_cast<std::uint32_t>(std::max<std::uint64_t>(1, ledger_.share_rows)));
    for (std::uint32_t j = 0; j < ledger_.shares.size() && j < task_.private_count(); ++j) {
      const Domain& domain = task_.attribute(PrivateId{j}).domain;
      for (const auto& [text, count] : ledger_.shares[j].second) {
        auto value = domain.find(text);
        auto most = std::min<std::uint64_t>(count, shares.size(number));
        if (value) shares.set_count(number, PrivateId{j}, *value, static_cast<std::uint32_t>(most));
      }
    }
  }

  const Task& task_;
  const Ledger& ledger_;
  const Profiles& old_;
  const Profiles* fresh_;
  LevelProfiles signals_;
  std::vector<GroupKey> keys_;
};

// The frozen group of old rows that `row` is like, on the finest rung where there are any; the
// shares of the whole table otherwise.
class FrozenGroups {
 public:
  FrozenGroups(const Task& task, const Profiles& old, const std::vector<std::uint32_t>& old_row)
      : task_(task) {
    const GroupedProfiles* groups = grouped(old);
    if (groups == nullptr) return;
    for (const auto& columns : rungs_of(task)) {
      RowGroups rung = group_rows(task.table, columns);
      std::vector<std::uint32_t> frozen(rung.count(), nowhere);
      for (std::uint32_t row = 0; row < old_row.size(); ++row) {
        if (old_row[row] == nowhere) continue;
        std::uint32_t group = groups->group_of[old_row[row]];
        std::uint32_t& found = frozen[rung.group_of[row]];
        // Shares that stand beside signals are those of a public group.
        if (found == nowhere && !groups->shares.in_full(group)) found = group;
      }
      rungs_.push_back({std::move(rung.group_of), std::move(frozen)});
    }
  }

  GroupKey nearest(std::uint32_t row) const {
    for (const auto& [group_of, frozen] : rungs_) {
      if (frozen[group_of[row]] != nowhere) {
        return {GroupKey::From::Old, frozen[group_of[row]], true};
      }
    }
    return {GroupKey::From::Table, 0, true};
  }

 private:
  const Task& task_;
  std::vector<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> rungs_;
};

bool any(const std::vector<bool>& flags) {
  return std::find(flags.begin(), flags.end(), true) != flags.end();
}

Ledger continued(const Task& task, const Ledger& old, Classes& classes,
                 const std::vector<bool>& released, ReleaseCounts& counts) {
  Ledger ledger = old;
  for (auto& [name, entry] : ledger.rows) entry.status = RowStatus::Gone;
  for (std::uint32_t row = 0; row < classes.entries.size(); ++row) {
    LedgerEntry& entry = classes.entries[row];
    if (released[row]) {
      entry.status = RowStatus::Shown;
      ++entry.releases;
      ++counts.released;
    } else if (entry.status == RowStatus::Shown) {
      ++counts.kept;
    } else if (entry.status == RowStatus::Waiting) {
      ++counts.waiting;
    } else {
      ++counts.withdrawn;
    }
    ledger.rows[task.table.names().text(RowId{row})] = entry;
  }
  counts.gone = classes.gone;
  return ledger;
}

}  // namespace

Result<Release> next_release(const Task& task, const Index& old, const Ledger& ledger,
                             bool release_changed) {
  if (auto checked = check_demand(task.table.schema(), task.demand); !checked) {
    return checked.error();
  }
  auto same = check_parameters(ledger.parameters, release_parameters(task.demand, task.key));
  if (!same) return same.error();
  auto classes = classify(task, old, ledger, release_changed);
  if (!classes) return classes.error();
  const Scheme& scheme = *find_scheme(task.demand.scheme);

  Task fresh_task = task;
  fresh_task.taking_part = classes->candidates;
  std::vector<bool> released = rows_shown(fresh_task, scheme.takes_cover);
  std::optional<Protection> fresh;
  if (any(released)) {
    fresh_task.taking_part.assign(released.begin(), released.end());
    auto made = protect(fresh_task);
    if (!made) return made.error();
    fresh = std::move(*made);
  }
  Profiles old_profiles = old.profiles();
  if (fresh && signals_of(fresh->profiles).levels() != signals_of(old_profiles).levels()) {
    return bad_input("the old index has strengths of other steps; start over with --new-release");
  }
  Merger merger(task, ledger, old_profiles, fresh ? &fresh->profiles : nullptr);
  merger.take_old(classes->old_row);
  if (fresh) merger.take_fresh(released);
  FrozenGroups frozen(task, old_profiles, classes->old_row);
  for (std::uint32_t row = 0; row < released.size(); ++row) {
    bool has_signal = released[row] || classes->old_row[row] != nowhere;
    if (!has_signal) merger.give_shares(row, frozen.nearest(row));
  }
  Release release{std::move(merger).finish(), fresh ? fresh->report : ProtectionReport{}, {}, {}};
  release.ledger = continued(task, ledger, *classes, released, release.counts);
  return release;
}

Result<Table> align(const Table& table, const Schema& schema) {
  const Schema& own = table.schema();
  Schema grown = own;
  bool alike = own.size() == schema.size();
  for (std::uint32_t i = 0; alike && i < own.size(); ++i) {
    alike = own.attributes[i].name == schema.attributes[i].name &&
            own.attributes[i].visibility == schema.attributes[i].visibility;
  }
  if (!alike) {
    return wrong_use(
        "the table has other attributes than the last build; name the same columns in the policy, "
        "or "
        "start over with --new-release");
  }
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < own.size(); ++i) {
    std::vector<std::string> values = schema.attributes[i].domain.values();
    for (const std::string& value : own.attributes[i].domain.values()) {
      if (!schema.attributes[i].domain.find(value)) values.push_back(value);
    }
    auto domain = Domain::of(std::move(values));
    if (!domain) return domain.error();
    grown.attributes[i].domain = std::move(*domain);
    std::vector<ValueId> moved;
    for (const std::string& value : own.attributes[i].domain.values()) {
      moved.push_back(*grown.attributes[i].domain.find(value));
    }
    std::vector<ValueId> codes(table.rows(), missing_value);
    table.column(AttributeId{i}).for_each([&](std::size_t row, std::uint32_t value) {
      codes[row] = moved[value];
    });
    columns.emplace_back(grown.attributes[i].domain.size(), codes);
  }
  return Table(std::move(grown), std::move(columns), table.names());
}

}  // namespace rankveil
