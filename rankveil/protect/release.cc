#include "rankveil/protect/release.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/fewer_bitmaps.h"
#include "rankveil/protect/frozen_groups.h"
#include "rankveil/protect/ladder.h"
#include "rankveil/protect/ldp.h"
#include "rankveil/protect/ldp_budgets.h"
#include "rankveil/protect/not_sensitive.h"
#include "rankveil/protect/option_names.h"
#include "rankveil/protect/profile_merger.h"
#include "rankveil/protect/row_classes.h"
#include "rankveil/protect/served_table.h"

namespace rankveil {

namespace {

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

std::vector<bool> rows_taking_part(const Task& task) {
  std::vector<bool> rows(task.table.rows());
  for (std::uint32_t row = 0; row < rows.size(); ++row) rows[row] = task.takes_part(RowId{row});
  return rows;
}

// Rows that take part and have enough others like them.
std::vector<bool> rows_with_company(const Task& task) {
  Climb made = climb(task);
  std::vector<bool> rows(task.table.rows());
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    rows[row] = made.group_of[row] != Climb::no_group;
  }
  return rows;
}

// The same task about the table and the queries as they may be served.
class ServedTask {
 public:
  ServedTask(const Task& task, const std::vector<bool>& shown, const Schema* old)
      : table_(served_table(task.table, shown, task.declared, old)),
        workload_(translated(task.workload, task.table.schema(), table_.schema())),
        task_{.table = table_,
              .workload = workload_,
              .demand = task.demand,
              .key = task.key,
              .ladder = task.ladder,
              .taking_part = task.taking_part,
              .shown_before = task.shown_before,
              .declared = task.declared,
              .levels_before = task.levels_before,
              .together = task.together,
              .person_of = task.person_of,
              .person_names = task.person_names,
              .place_of = task.place_of,
              .shown = task.shown,
              .scheme_state = task.scheme_state,
              .threads = task.threads,
              .progress = task.progress} {}

  ServedTask(const ServedTask&) = delete;
  ServedTask& operator=(const ServedTask&) = delete;
  Task& task() { return task_; }
  Table take_table() { return std::move(table_); }

 private:
  Table table_;
  Workload workload_;
  Task task_;
};

// What rows count with in shares that outlive them. True values would break a promise about
// likelihoods; what rows say with chance does not, whatever is made of it.
CountedValue counted_values(const Task& task, const Scheme& scheme) {
  if (scheme.promise != PromiseKind::LikelihoodRatio) {
    return [&task](PrivateId attribute, RowId row) {
      return task.private_column(attribute).value(row);
    };
  }
  return [answers = ldp_answers(task)](PrivateId attribute, RowId row) {
    return answers[+attribute][+row];
  };
}

std::vector<std::vector<std::string>> ladder_names(const Task& task) {
  std::vector<std::vector<std::string>> names;
  for (const auto& rung : task.ladder) {
    auto& columns = names.emplace_back();
    for (AttributeId column : rung) columns.push_back(task.table.schema()[column].name);
  }
  return names;
}

void count_waiting(const Task& task, RowId row, ReleaseCounts& counts) {
  ++counts.waiting;
  counts.not_established += task.takes_part(row) ? 0 : 1;
}

}  // namespace

bool Release::shown_twice() const {
  return ledger.release > 1 || std::any_of(ledger.rows.begin(), ledger.rows.end(),
                                           [](const auto& row) { return row.second.releases > 1; });
}

Json release_parameters(const Demand& demand, const SecretKey& key) {
  Json parameters;
  parameters.set("scheme", demand.scheme).set("l", demand.l);
  const Scheme* scheme = find_scheme(demand.scheme);
  if (scheme != nullptr) {
    for (std::string_view option : scheme->options) {
      parameters.set(std::string(option), option_text(demand, option));
    }
  }
  auto spared = spared_by(demand);
  if (!spared.empty()) parameters.set("not_sensitive", to_json(spared));
  auto budgets = budgets_used(demand);
  if (!budgets.empty()) parameters.set("epsilons", to_json(budgets));
  return parameters.set("key", key.fingerprint());
}

std::optional<Demand> demand_from_parameters(const Json& parameters) {
  const Json* name = parameters.find("scheme");
  const Json* l = parameters.find("l");
  if (name == nullptr || name->as_text() == nullptr || l == nullptr || l->as_integer() == nullptr) {
    return std::nullopt;
  }
  const Scheme* scheme = find_scheme(*name->as_text());
  if (scheme == nullptr) return std::nullopt;
  Demand demand{.scheme = *name->as_text(), .l = static_cast<std::uint32_t>(*l->as_integer())};
  demand.any_epsilon = true;  // what was released was allowed
  for (std::string_view option : scheme->options) {
    const Json* text = parameters.find(option);
    if (text == nullptr || text->as_text() == nullptr) return std::nullopt;
    if (!set_option(demand, option, *text->as_text())) return std::nullopt;
  }
  if (const Json* declared = parameters.find("not_sensitive")) {
    auto spared = not_sensitive_from_json(*declared);
    if (!spared) return std::nullopt;
    demand.not_sensitive = *std::move(spared);
  }
  if (const Json* given = parameters.find("epsilons")) {
    auto budgets = budgets_from_json(*given);
    if (!budgets) return std::nullopt;
    demand.budgets = *std::move(budgets);
  }
  return demand;
}

Result<Release> first_release(const Task& task, std::uint32_t number) {
  if (auto checked = check_demand(task.table.schema(), task.demand); !checked) {
    return checked.error();
  }
  const Scheme& scheme = *find_scheme(task.demand.scheme);
  std::vector<bool> shown = scheme.climbs ? rows_with_company(task) : rows_taking_part(task);
  std::vector<VectorHash> hashes = hashes_of(task);
  ServedTask served(task, shown, nullptr);
  auto made = protect(served.task());
  if (!made) return made.error();
  Release release{{}, std::move(made->profiles), std::move(made->report), {}, {}};
  release.ledger.parameters = release_parameters(task.demand, task.key);
  release.ledger.release = number;
  release.ledger.ladder = ladder_names(task);
  std::optional<Climb> together;
  if (scheme.climbs) together = climb(served.task());
  freeze_shares(served.task(), together ? &*together : nullptr, shown,
                counted_values(served.task(), scheme), release.ledger);
  for (std::uint32_t row = 0; row < shown.size(); ++row) {
    RowStatus status = shown[row] ? RowStatus::Shown : RowStatus::Waiting;
    if (shown[row]) ++release.counts.released;
    if (!shown[row]) count_waiting(task, RowId{row}, release.counts);
    LedgerEntry entry{hashes[row], status, shown[row] ? 1U : 0U};
    if (shown[row] && together) entry.group = together->group_of[row];
    release.ledger.rows.emplace(task.table.names().text(RowId{row}), entry);
  }
  release.ledger.told.emplace().add(release.counts.released, release.report);
  release.table = served.take_table();
  release.report.unique_rows = unique_rows(release.table, shown);
  return release;
}

// ---- The next one ----

namespace {

std::string raw_parameter(const Json& parameters, const std::string& name) {
  const Json* value = parameters.find(name);
  return value == nullptr ? "" : value->dump(-1);
}

std::string parameter_text(const Json& parameters, const std::string& name) {
  const Json* value = parameters.find(name);
  if (value == nullptr) return "not given";
  if (name == "not_sensitive") {
    if (auto values = not_sensitive_from_json(*value)) return to_text(*values);
  }
  if (name == "epsilons") {
    if (auto budgets = budgets_from_json(*value)) return to_text(*budgets);
  }
  bool is_default = name == "epsilon" && value->as_text() != nullptr && *value->as_text() == "0";
  if (is_default) return "not given";
  return value->as_text() != nullptr ? *value->as_text() : value->dump(-1);
}

// As it is called in a policy.
std::string parameter_name(const std::string& name) {
  return name == "epsilons" ? "epsilon" : name;
}

Status check_parameters(const Json& old, const Json& now) {
  if (old.dump(-1) == now.dump(-1)) return {};
  std::vector<std::string> names;
  for (const auto& [name, value] : *now.as_object()) names.push_back(name);
  for (const char* given : {"not_sensitive", "epsilons"}) {
    if (old.find(given) != nullptr) names.emplace_back(given);
  }
  for (const std::string& name : names) {
    if (raw_parameter(old, name) == raw_parameter(now, name)) continue;
    return wrong_use(fmt::format(
        "rows cannot keep what they show: {} was {} in the last build and is {} now; keep it, or "
        "start over with --new-release, which gives whoever holds both releases more to go by",
        parameter_name(name), parameter_text(old, name), parameter_text(now, name)));
  }
  return wrong_use("the last build was made by another version; start over with --new-release");
}

bool any(const std::vector<bool>& flags) {
  return std::find(flags.begin(), flags.end(), true) != flags.end();
}

std::vector<std::uint32_t> times_shown(const RowClasses& classes) {
  std::vector<std::uint32_t> times;
  for (const LedgerEntry& entry : classes.entries) times.push_back(entry.releases);
  return times;
}

Ledger continued(const Task& task, const Ledger& old, RowClasses& classes,
                 const std::vector<bool>& released, ReleaseCounts& counts) {
  Ledger ledger = old;
  ++ledger.build;
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
      count_waiting(task, RowId{row}, counts);
    } else {
      ++counts.withdrawn;
    }
    ledger.rows[task.table.names().text(RowId{row})] = entry;
  }
  counts.gone = classes.gone;
  return ledger;
}

// A scheme that shows nothing has nothing to keep, and nothing to withdraw.
Result<Release> nothing_again(const Task& task, const Ledger& ledger) {
  auto release = first_release(task, ledger.release);
  if (release) {
    release->ledger.build = ledger.build + 1;
    std::swap(release->counts.kept, release->counts.released);
    for (const auto& [name, entry] : ledger.rows) {
      bool left = entry.status != RowStatus::Gone && !release->ledger.rows.contains(name);
      release->counts.gone += left ? 1 : 0;
    }
  }
  return release;
}

// The rows that get a signal now: new ones in good company.
std::vector<bool> rows_to_release(const Task& task, const Scheme& scheme,
                                  const RowClasses& classes) {
  Task candidates = task;
  candidates.taking_part = classes.candidates;
  return scheme.takes_cover ? rows_with_company(candidates) : rows_taking_part(candidates);
}

std::vector<RowId> rows_left(const std::vector<bool>& released, const RowClasses& classes) {
  std::vector<RowId> rows;
  for (std::uint32_t row = 0; row < released.size(); ++row) {
    bool served = released[row] || classes.old_row[row] != RowClasses::nowhere;
    if (!served) rows.push_back(RowId{row});
  }
  return rows;
}

std::vector<bool> rows_shown(const RowClasses& classes) {
  std::vector<bool> shown;
  for (const LedgerEntry& entry : classes.entries)
    shown.push_back(entry.status == RowStatus::Shown);
  return shown;
}

// Rows that were released and yet have shares alone: all their sets were too short.
std::uint64_t shown_by_shares(const Demand& demand, const Scheme& scheme, const Profiles& profiles,
                              std::vector<bool> shown) {
  bool falls_back = scheme.reads("fallback");
  if (!falls_back || demand.fallback != Fallback::Shares) return 0;
  const LevelProfiles& signals = signals_of(profiles);
  for (std::uint32_t j = 0; j < signals.domain_sizes().size(); ++j) {
    signals.for_each_bit(PrivateId{j},
                         [&](RowId row, ValueId, std::uint32_t) { shown[+row] = false; });
  }
  return static_cast<std::uint64_t>(std::count(shown.begin(), shown.end(), true));
}

// What is said of the whole table, and what the rows released now add to what was said before.
void report_release(const Demand& demand, const Scheme& scheme, const std::vector<bool>& shown,
                    const Ledger& before, Release& release) {
  ProtectionReport& report = release.report;
  const ReleaseCounts& counts = release.counts;
  report.rows_without_signal =
      counts.waiting + counts.withdrawn + shown_by_shares(demand, scheme, release.profiles, shown);
  report.unique_rows = unique_rows(release.table, shown);
  release.earlier = before.told;
  if (release.ledger.told) release.ledger.told->add(counts.released, report);
}

std::uint32_t first_free_group(const Ledger& ledger) {
  std::uint32_t next = 0;
  if (!ledger.groups) return next;
  for (const FrozenRung& rung : *ledger.groups) {
    for (const FrozenGroup& group : rung.groups) next = std::max(next, group.number + 1);
  }
  return next;
}

// Those of the climb, which holds the rows that are released now.
void number_groups(const Climb& together, std::uint32_t first, RowClasses& classes) {
  for (std::uint32_t row = 0; row < together.group_of.size(); ++row) {
    if (together.group_of[row] == Climb::no_group) continue;
    classes.entries[row].group = first + together.group_of[row];
  }
}

// Of the last ledger: a batch that is released now serves the rows that come after it.
FrozenShares shares_to_serve(const Task& task, const Scheme& scheme, const Ledger& ledger,
                             const std::vector<RowId>& rows) {
  FrozenShares frozen = frozen_shares(task, ledger, rows);
  if (scheme.promise == PromiseKind::LikelihoodRatio) {
    estimate_ldp_shares(task, frozen.everybody, frozen.shares);
  }
  return frozen;
}

}  // namespace

Result<Release> next_release(const Task& task, const Index& old, const Ledger& ledger,
                             bool release_changed) {
  if (auto checked = check_demand(task.table.schema(), task.demand); !checked) {
    return checked.error();
  }
  auto same = check_parameters(ledger.parameters, release_parameters(task.demand, task.key));
  if (!same) return same.error();
  const Scheme& scheme = *find_scheme(task.demand.scheme);
  if (scheme.shows_nothing) return nothing_again(task, ledger);
  auto classes = classify_rows(task, hashes_of(task), old, ledger, release_changed);
  if (!classes) return classes.error();
  std::vector<bool> released = rows_to_release(task, scheme, *classes);
  for (std::uint32_t row = 0; row < released.size(); ++row) {
    if (released[row]) classes->old_row[row] = RowClasses::nowhere;
  }

  Profiles before = old.profiles();
  ServedTask served(task, released, &old.schema());
  served.task().taking_part.assign(released.begin(), released.end());
  served.task().shown_before = times_shown(*classes);
  served.task().levels_before = levels_in_use(signals_of(before));
  std::optional<Protection> fresh;
  if (any(released)) {
    auto made = protect(served.task());
    if (!made) return made.error();
    fresh = std::move(*made);
  }
  const Profiles* now = fresh ? &fresh->profiles : nullptr;
  if (common_levels(before, now) == 0) {
    return bad_input("the last build has strengths of other steps; start over with --new-release");
  }
  std::vector<RowId> left = rows_left(released, *classes);
  ProfileMerger merger(served.task(), before, now);
  merger.take_old(classes->old_row);
  if (fresh) merger.take_fresh(released);
  merger.give_shares(left, shares_to_serve(served.task(), scheme, ledger, left));
  Release release{
      {}, std::move(merger).finish(), fresh ? fresh->report : ProtectionReport{}, {}, {}};
  if (fresh && ledger.groups) {
    Climb together = climb(served.task());
    std::uint32_t first = first_free_group(ledger);
    number_groups(together, first, *classes);
    release.ledger = continued(task, ledger, *classes, released, release.counts);
    freeze_batch(served.task(), together, counted_values(served.task(), scheme), first,
                 release.ledger);
  } else {
    release.ledger = continued(task, ledger, *classes, released, release.counts);
  }
  release.table = served.take_table();
  report_release(task.demand, scheme, rows_shown(*classes), ledger, release);
  return release;
}

namespace {

std::int64_t note_of(const Index& index, std::string_view name) {
  const Json* note = index.info().notes.find(name);
  return note == nullptr || note->as_integer() == nullptr ? 0 : *note->as_integer();
}

}  // namespace

bool belong_together(const Index& index, const Ledger& ledger) {
  const Json* parameters = index.info().notes.find("parameters");
  return parameters != nullptr && parameters->dump(-1) == ledger.parameters.dump(-1) &&
         note_of(index, "build") == ledger.build && note_of(index, "release") == ledger.release;
}

}  // namespace rankveil
