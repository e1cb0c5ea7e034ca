#include "rankveil/protect/release/index_again.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "rankveil/base/format.h"
#include "rankveil/protect/ledger/sealed_values.h"
#include "rankveil/protect/life/release_parameters.h"
#include "rankveil/protect/persons.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/protect/swap/shown_groups.h"

namespace rankveil {

namespace {

// A row that shows something: where it is in the task's table, and what it shows.
struct ShownRow {
  RowId row;
  const LedgerEntry* entry;
  std::uint32_t place;  // among the rows of its person
};

std::vector<ShownRow> shown_rows(const Persons& persons, const Ledger& ledger) {
  std::vector<ShownRow> rows;
  if (!ledger.has_values) return rows;
  for (std::uint32_t p = 0; p < persons.count(); ++p) {
    auto found = ledger.rows.find(persons.name(p));
    if (found == ledger.rows.end() || !shows(found->second.status)) continue;
    std::uint32_t count = std::min(found->second.rows, persons.row_count(p));
    for (std::uint32_t i = 0; i < count; ++i) {
      rows.push_back({persons.row(p, i), &found->second, i});
    }
  }
  std::ranges::sort(rows, [](const auto& a, const auto& b) { return +a.row < +b.row; });
  return rows;
}

// Public columns as they were. Hashes are of a person's first row; the others are as they are now.
class PublicBefore {
 public:
  PublicBefore(const Task& task, const Ledger& ledger)
      : task_(task),
        ledger_(ledger),
        hashes_(task.key, task.table, ledger.public_columns),
        hash_of_(task.table.schema().public_count(), none) {
    for (std::size_t i = 0; i < ledger.public_columns.size(); ++i) {
      auto found = task.table.schema().find(ledger.public_columns[i]);
      if (found && !task.table.schema()[*found].is_private()) hash_of_[+*found] = i;
    }
  }

  Column column(AttributeId attribute, const std::vector<ShownRow>& rows) {
    std::vector<ValueId> values;
    values.reserve(rows.size());
    for (const ShownRow& shown : rows) values.push_back(value(attribute, shown));
    return {task_.table.schema()[attribute].domain.size(), values};
  }

  // Values that no value of the table has the hash of.
  std::uint64_t unknown() const { return unknown_; }

 private:
  static constexpr std::size_t none = SIZE_MAX;

  ValueId value(AttributeId attribute, const ShownRow& shown) {
    ValueId now = task_.table.value(shown.row, attribute);
    std::size_t at = hash_of_[+attribute];
    if (at == none || shown.place > 0) return now;
    std::uint16_t was = ledger_.public_hashes(*shown.entry)[at];
    if (hashes_.of(shown.row, at) == was) return now;
    auto found = hashes_.value_of(was, at);
    unknown_ += found ? 0 : 1;
    return found.value_or(now);
  }

  const Task& task_;
  const Ledger& ledger_;
  PublicHashes hashes_;
  std::vector<std::size_t> hash_of_;  // per public column of the table, its place in the ledger
  std::uint64_t unknown_ = 0;
};

Column column_shown(const Task& task, const Ledger& ledger, PrivateId attribute,
                    const std::vector<ShownRow>& rows) {
  std::uint32_t domain = task.attribute(attribute).domain.size();
  std::size_t columns = ledger.columns.size();
  std::vector<ValueId> values;
  values.reserve(rows.size());
  for (const ShownRow& shown : rows) {
    std::uint16_t code = ledger.shown_values(*shown.entry)[shown.place * columns + +attribute];
    values.push_back(code < domain ? ValueId{code} : missing_value);
  }
  return {domain, values};
}

// Rows go by the names that they had in the last build.
RowNames names_then(const Task& task, const BuildRules& rules, const std::vector<ShownRow>& rows) {
  std::unordered_map<std::string_view, std::string_view> before;
  for (const auto& [was, now] : rules.new_ids) before.emplace(now, was);
  TextNames names;
  for (const ShownRow& shown : rows) {
    std::string name = task.table.names().text(shown.row);
    auto was = before.find(name);
    names.bytes += was == before.end() ? std::string_view(name) : was->second;
    names.ends.push_back(names.bytes.size());
  }
  return RowNames(std::move(names));
}

GroupedProfiles profiles_then(const Task& then, const std::optional<ShownGroups>& groups) {
  LevelProfiles signals(then.table.rows(), then.private_domain_sizes(), 1);
  for (std::uint32_t j = 0; j < then.private_count(); ++j) {
    signals.set_column(PrivateId{j}, then.private_column(PrivateId{j}));
  }
  std::uint32_t count = groups ? groups->count() : 1;
  GroupShares shares(count, then.private_domain_sizes());
  for (std::uint32_t g = 0; g < count; ++g) {
    shares.set_size(g, 1);
    if (groups) groups->fill(g, g, shares);
  }
  auto group_of =
      groups ? groups->groups_of_rows(then) : std::vector<std::uint32_t>(then.table.rows(), 0);
  return {{1, then.demand.l}, std::move(signals), std::move(group_of), std::move(shares)};
}

Json notes_then(const Ledger& ledger) {
  return Json()
      .set("parameters", ledger.parameters)
      .set("population", ledger.population)
      .set("release", ledger.release)
      .set("build", ledger.build);
}

bool same_entry(const Ledger& made, const LedgerEntry& one, const Ledger& kept,
                const LedgerEntry& other) {
  if (one.status != other.status || one.releases != other.releases || one.group != other.group ||
      one.rows != other.rows) {
    return false;
  }
  auto codes = std::span(made.codes).subspan(one.at, made.code_count(one));
  auto others = std::span(kept.codes).subspan(other.at, kept.code_count(other));
  return std::ranges::equal(codes, others);
}

}  // namespace

Result<Index> index_again(const Task& task, const Ledger& ledger, const BuildRules& rules) {
  Persons persons(task);
  std::vector<ShownRow> rows = shown_rows(persons, ledger);
  PublicBefore before(task, ledger);
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < task.table.schema().public_count(); ++i) {
    columns.push_back(before.column(AttributeId{i}, rows));
  }
  if (before.unknown() > 0) {
    return bad_input(fmt::format(
        "the last index cannot be read, and {} of then in public columns are in the table no more, "
        "so it cannot be made again; build from the table of then once, and then from this one",
        counted(before.unknown(), "value")));
  }
  // What is shown stands in the place of what is true.
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    columns.push_back(column_shown(task, ledger, PrivateId{j}, rows));
  }
  Table table(task.table.schema(), std::move(columns), names_then(task, rules, rows));
  Task then{.table = table,
            .workload = task.workload,
            .demand = task.demand,
            .key = task.key,
            .threads = task.threads};
  auto groups = kept_groups(&ledger.scheme_state, then);
  if (!groups) return groups.error();
  return Index::build(public_part(table), profiles_then(then, *groups),
                      {.scheme = task.demand.scheme,
                       .l = task.demand.l,
                       .default_k = 1,
                       .notes = notes_then(ledger)});
}

namespace {

// Whether both say the same of the same people, but for the days since when somebody waits: then
// the two were made from the same table.
bool same_book(const Ledger& made, const Ledger& kept) {
  bool same_head = made.columns == kept.columns && made.public_columns == kept.public_columns &&
                   made.has_values == kept.has_values && made.shares == kept.shares &&
                   made.scheme_state.dump(-1) == kept.scheme_state.dump(-1) &&
                   made.rows.size() == kept.rows.size();
  return same_head && std::ranges::all_of(made.rows, [&](const auto& row) {
           auto other = kept.rows.find(row.first);
           return other != kept.rows.end() && same_entry(made, row.second, kept, other->second);
         });
}

Error not_told(const Scheme& scheme, std::string_view why) {
  return bad_input(fmt::format(
      "the last index cannot be read, and its ledger does not say all that rows show under {}, "
      "which {}; put back a copy of that index, or start over with --new-release",
      scheme.name, why));
}

Result<Release> first_build_again(const Task& task, const Ledger& ledger, const BuildRules& rules) {
  const Scheme& scheme = *find_scheme(task.demand.scheme);
  if (ledger.build > 1) return not_told(scheme, "was built several times");
  if (scheme.uses_workload && !ledger.has_values) {
    return not_told(scheme, "hangs on the queries of then");
  }
  auto made = first_release(task, rules, ledger.release);
  if (!made) return made;
  if (!same_book(made->ledger, ledger)) {
    return not_told(scheme, "comes out otherwise from this table");
  }
  made->ledger = ledger;
  ++made->ledger.build;
  std::swap(made->counts.kept, made->counts.released);
  return made;
}

}  // namespace

Result<Release> next_release_without_index(const Task& task, const Ledger& ledger,
                                           const BuildRules& rules) {
  auto same = check_parameters(ledger.parameters, release_parameters(task.demand, task.key));
  if (!same) return same.error();
  const Scheme* scheme = find_scheme(task.demand.scheme);
  bool tells_all = scheme->shows_nothing || (scheme->base_shares != nullptr && ledger.has_values);
  if (!tells_all) return first_build_again(task, ledger, rules);
  auto index = index_again(task, ledger, rules);
  if (!index) return index.error();
  return next_release(task, *index, ledger, rules);
}

}  // namespace rankveil
