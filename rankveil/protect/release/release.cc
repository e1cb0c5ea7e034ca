// How one build follows another, row by row.
//
// Let shown(r, t) be what row r shows in build t. Anyone who holds two builds compares them, so
//   shown(r, t + 1) = shown(r, t)   while r is Shown or Changed
// and every other change must be of many rows at once. The ledger has one of five words for each
// person (ledger.h), and a build moves people along these arrows and no others:
//   Waiting -> Shown               with the others of a batch of 100 or more
//   Shown -> Changed               private values differ from the sealed ones; it shows on
//   Changed -> Withdrawn           ten changed, or 30 days passed, and
//   Shown -> Company               as many who did not change go with them
//   Withdrawn, Company -> Shown    when the owner says so; with a new coin
//
// Example: eight people, with batches of two and withdrawals of two for shortness.
//   build 1   1 2 3 4 5 arrive                   all Shown: batch A
//   build 2   6 arrives; 2 has another value     6 Waiting, 2 Changed and shown as before
//   build 3   7 and 8 arrive; 4 has another one  6 7 8 Shown: batch B. 2 and 4 are Withdrawn, and
//                                                two of 1, 3, 5 are drawn as their Company
//   build 4   5 is not in the table any more     a keyed hash of 5 stays; nobody else changes
// Anyone who sees 1 show nothing in build 3 cannot tell a change from company: two of the four did
// change, two of five were expected to, a gain of (2/4 - 2/5) / (1 - 2/5) = 0.17.
//
// A build is made in this order, and no step reads what a later one writes:
//   classes      who is new, kept, changed or gone, by the sealed values (ledger/row_classes)
//   withdrawals  who stops showing something (life/withdrawals), after checks that this is news
//                about people and not about names (life/same_people, life/value_changes)
//   released     who begins; the scheme runs on the table as it may be served, with these alone
//   merge        old profiles where rows keep them, fresh ones, frozen shares for all others
//   ledger       the same people with their new words; then what is reported
//
// Invariants. A value that only silent rows have is not in the served table. A row's profile in
// build t + 1 depends on its private values only if it was released in that build. Shares of groups
// count whole batches, so no single row moves one.
#include "rankveil/protect/release/release.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "rankveil/protect/chance/ldp.h"
#include "rankveil/protect/groups/group_sizes.h"
#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/ledger/frozen_groups.h"
#include "rankveil/protect/ledger/row_classes.h"
#include "rankveil/protect/ledger/value_codes.h"
#include "rankveil/protect/life/moved_rows.h"
#include "rankveil/protect/life/next_ledger.h"
#include "rankveil/protect/life/profile_merger.h"
#include "rankveil/protect/life/same_people.h"
#include "rankveil/protect/life/value_changes.h"
#include "rankveil/protect/life/withdrawals.h"
#include "rankveil/protect/persons.h"
#include "rankveil/protect/release/coverage.h"
#include "rankveil/protect/release/served_table.h"
#include "rankveil/protect/release/telling_shares.h"
#include "rankveil/protect/rows/open_rows.h"

namespace rankveil {

namespace {

std::vector<bool> rows_taking_part(const Task& task) {
  std::vector<bool> rows(task.table.rows());
  for (std::uint32_t row = 0; row < rows.size(); ++row) rows[row] = task.takes_part(RowId{row});
  return rows;
}

std::vector<bool> rows_in(const Climb& grouping) {
  std::vector<bool> rows(grouping.group_of.size());
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    rows[row] = grouping.group_of[row] != Climb::no_group;
  }
  return rows;
}

// Rows that show something, and how the scheme groups them; null where it does not.
struct Showing {
  std::vector<bool> rows;
  std::shared_ptr<const Climb> grouping = {};
};

Showing rows_that_show(const Scheme& scheme, const Task& task) {
  if (scheme.rows_to_show != nullptr) return {scheme.rows_to_show(task)};
  if (scheme.group == nullptr) return {rows_taking_part(task)};
  auto grouping = std::make_shared<const Climb>(scheme.group(task));
  return {rows_in(*grouping), grouping};
}

// The same task about the table and the queries as they may be served.
class ServedTask {
 public:
  ServedTask(const Task& task, const std::vector<bool>& shown,
             const std::vector<std::uint32_t>& known)
      : table_(served_table(task.table, shown, task.declared, known)),
        workload_(translated(task.workload, task.table.schema(), table_.schema())),
        task_{.table = table_,
              .workload = workload_,
              .demand = task.demand,
              .key = task.key,
              .ladder = task.ladder,
              .taking_part = task.taking_part,
              .grouping = task.grouping,
              .shown_before = task.shown_before,
              .declared = task.declared,
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

// The rows whose values may be known to be there.
std::vector<bool> rows_with_values(std::vector<bool> shown, const BuildRules& rules) {
  for (std::uint32_t row = 0; row < rules.open.size(); ++row) {
    if (rules.open[row] != 0) shown[row] = true;
  }
  return shown;
}

// Last of all: nothing that is made of what rows show has anything of theirs.
void show_open_rows(const BuildRules& rules, Release& release) {
  if (rules.open.empty()) return;
  release.profiles = with_open_rows(std::move(release.profiles), release.table, rules.open);
}

// Open rows are in no exchange, so schemes count them among those without a signal; yet they show
// something.
void tell_coverage(const Scheme& scheme, const BuildRules& rules, const ProtectionReport& so_far,
                   Release& release) {
  auto open = static_cast<std::uint64_t>(std::count(rules.open.begin(), rules.open.end(), 1));
  release.coverage = coverage_of(scheme, release.table, release.ledger, so_far,
                                 release.report.rows_without_signal);
  release.coverage.open = open;
  release.coverage.base_only -= std::min(release.coverage.base_only, open);
}

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

void count_waiting(const Task& task, RowId row, const LedgerEntry& entry, ReleaseCounts& counts) {
  ++counts.waiting;
  counts.not_established += task.takes_part(row) ? 0 : 1;
  if (!task.takes_part(row)) return;
  bool first = counts.waiting_since == 0 || entry.since < counts.waiting_since;
  if (first) counts.waiting_since = entry.since;
}

}  // namespace

bool Release::shown_twice() const {
  return ledger.release > 1 || std::any_of(ledger.rows.begin(), ledger.rows.end(),
                                           [](const auto& row) { return row.second.releases > 1; });
}

namespace {

// Persons of whom a row is shown now.
std::vector<LedgerEntry> first_entries(const Persons& persons, const std::vector<bool>& shown,
                                       const Climb* grouping, const BuildRules& rules) {
  std::vector<LedgerEntry> entries(persons.count());
  for (std::uint32_t p = 0; p < entries.size(); ++p) {
    entries[p].rows = persons.row_count(p);
    entries[p].since = rules.today;
  }
  for (std::uint32_t row = 0; row < shown.size(); ++row) {
    if (!shown[row]) continue;
    LedgerEntry& entry = entries[persons.of(RowId{row})];
    entry.status = RowStatus::Shown;
    entry.since = 0;
    entry.releases = 1;
    if (grouping != nullptr) entry.group = grouping->group_of[row];
  }
  return entries;
}

std::vector<std::string> fit_columns(const Schema& schema, const BuildRules& rules) {
  std::vector<std::string> columns = rules.fit_on;
  for (const Attribute& attribute : schema.attributes) {
    bool is_new = !attribute.is_private() &&
                  std::find(columns.begin(), columns.end(), attribute.name) == columns.end();
    if (is_new) columns.push_back(attribute.name);
  }
  return columns;
}

Ledger first_ledger(const Task& task, const BuildRules& rules, std::uint32_t number,
                    Protection& made) {
  Ledger ledger;
  ledger.parameters = release_parameters(task.demand, task.key);
  ledger.release = number;
  ledger.ladder = ladder_names(task);
  ledger.fit_columns = fit_columns(task.table.schema(), rules);
  ledger.scheme_state = std::move(made.scheme_state);
  ledger.has_values = shows_single_values(made.profiles);
  return ledger;
}

// Before open rows are shown, who are no groups.
void tell_shares(const Task& task, const Scheme& scheme, std::uint32_t l, Release& release) {
  SharesServed how = shares_served_by(scheme, l);
  how.threads = task.threads;
  release.report.base = telling_shares(release.table, release.profiles, how);
}

}  // namespace

Result<Release> first_release(const Task& task, const BuildRules& rules, std::uint32_t number) {
  if (auto checked = check_demand(task.table.schema(), task.demand); !checked) {
    return checked.error();
  }
  const Scheme& scheme = *find_scheme(task.demand.scheme);
  auto [shown, grouping] = rows_that_show(scheme, task);
  ServedTask served(task, rows_with_values(shown, rules), {});
  bool chooses = scheme.rows_to_show != nullptr;
  if (chooses) served.task().taking_part.assign(shown.begin(), shown.end());
  served.task().grouping = grouping;
  auto made = protect_served(served.task());
  if (!made) return made.error();
  Ledger ledger = first_ledger(task, rules, number, *made);
  Release release{{}, std::move(made->profiles), std::move(made->report), std::move(ledger), {}};
  const Climb* together = scheme.climbs ? grouping.get() : nullptr;
  // What a scheme makes of shown values needs no shares of true ones.
  bool own_base = scheme.base_shares != nullptr;
  freeze_shares(served.task(), together, own_base ? std::vector<bool>(shown.size(), false) : shown,
                counted_values(served.task(), scheme), release.ledger);
  Persons persons(task);
  auto entries = first_entries(persons, shown, together, rules);
  for (std::uint32_t row = 0; row < shown.size(); ++row) {
    if (shown[row]) ++release.counts.released;
    if (!shown[row]) {
      count_waiting(task, RowId{row}, entries[persons.of(RowId{row})], release.counts);
    }
  }
  release.ledger.told.add(release.counts.released, release.report);
  release.table = served.take_table();
  write_people(task.key, {persons, entries}, release.table, release.profiles, rules,
               release.ledger);
  release.report.unique_rows = unique_rows(release.table, shown);
  tell_coverage(scheme, rules, release.report, release);
  tell_shares(task, scheme, task.demand.l, release);
  show_open_rows(rules, release);
  return release;
}

// ---- The next one ----

namespace {

bool any(const std::vector<bool>& flags) {
  return std::find(flags.begin(), flags.end(), true) != flags.end();
}

// Per row, of what its person is.
std::vector<std::uint32_t> times_shown(const Persons& persons, const PersonClasses& classes,
                                       std::uint32_t rows) {
  std::vector<std::uint32_t> times(rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    times[row] = classes.entries[persons.of(RowId{row})].releases;
  }
  return times;
}

// A scheme that shows nothing has nothing to keep, and nothing to withdraw.
Result<Release> nothing_again(const Task& task, const Ledger& ledger, const BuildRules& rules) {
  auto release = first_release(task, rules, ledger.release);
  if (!release) return release;
  release->ledger.population = ledger.population;
  release->ledger.build = ledger.build + 1;
  release->ledger.left_out = ledger.left_out;
  release->ledger.outputs = ledger.outputs;
  std::swap(release->counts.kept, release->counts.released);
  for (const auto& [name, entry] : ledger.rows) {
    release->counts.gone += release->ledger.rows.contains(name) ? 0 : 1;
  }
  return release;
}

// Newcomers hide each other: few of them wait, unless the owner does not let them for so long.
bool enough_to_release(const Persons& persons, const PersonClasses& classes,
                       const BuildRules& rules) {
  std::uint32_t count = 0;
  bool waited = false;
  for (std::uint32_t p = 0; p < persons.count(); ++p) {
    if (classes.candidates[p] == 0) continue;
    ++count;
    waited = waited ||
             (rules.batch_after && classes.entries[p].since + *rules.batch_after <= rules.today);
  }
  return waited || count >= GroupSizes::in_use().batch;
}

// The rows that get a signal now: new ones in good company. Where the scheme has groups, theirs.
Showing rows_to_release(const Task& task, const Scheme& scheme, const Persons& persons,
                        const PersonClasses& classes, const BuildRules& rules) {
  Task candidates = task;
  candidates.taking_part.assign(task.table.rows(), 0);
  if (scheme.takes_cover && !enough_to_release(persons, classes, rules)) {
    return {rows_taking_part(candidates)};
  }
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    bool candidate = classes.candidates[persons.of(RowId{row})] != 0 && task.takes_part(RowId{row});
    candidates.taking_part[row] = candidate ? 1 : 0;
  }
  // They are enough, or the owner said that they need not be.
  ShownEarlier nobody{std::vector<std::uint8_t>(task.table.rows(), 0), {}};
  candidates.shown = &nobody;
  bool needs_company = scheme.takes_cover && scheme.rows_to_show == nullptr;
  if (needs_company && scheme.group == nullptr) return {rows_in(climb(candidates))};
  return rows_that_show(scheme, candidates);
}

// Those who are released though they are too few to hide each other.
std::uint64_t rows_in_small_batch(const Scheme& scheme, const ProtectionReport& report,
                                  const std::vector<bool>& released) {
  bool is_small = scheme.fits_model && !report.blocks.empty() &&
                  report.blocks.front().persons < GroupSizes::in_use().batch;
  return is_small ? static_cast<std::uint64_t>(std::count(released.begin(), released.end(), true))
                  : 0;
}

void release_persons(const Persons& persons, const std::vector<bool>& released,
                     std::vector<LedgerEntry>& entries) {
  for (std::uint32_t row = 0; row < released.size(); ++row) {
    LedgerEntry& entry = entries[persons.of(RowId{row})];
    if (!released[row] || entry.status == RowStatus::Shown) continue;
    entry.status = RowStatus::Shown;
    entry.since = 0;
    ++entry.releases;
  }
}

// Finds rows of the last index by name. Both tables stand in keyed order, so the row behind the one
// that was found last is looked at first, and mostly is the one.
class LastRows {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  explicit LastRows(const Index& index) : index_(index) {}

  // Its number.
  std::uint32_t find(const std::string& name) {
    if (next_ < index_.rows() && index_.name(RowId{next_}) == name) return next_++;
    if (by_name_.empty()) list();
    auto found = by_name_.find(name);
    if (found == by_name_.end()) return none;
    next_ = found->second + 1;
    return found->second;
  }

 private:
  void list() {
    by_name_.reserve(index_.rows());
    for (std::uint32_t i = 0; i < index_.rows(); ++i) by_name_.emplace(index_.name(RowId{i}), i);
  }

  const Index& index_;
  std::unordered_map<std::string, std::uint32_t> by_name_;  // empty: not asked for yet
  std::uint32_t next_ = 0;
};

// What rows were called in the last build that have new ids now.
std::unordered_map<std::string_view, std::string_view> names_before(const BuildRules& rules) {
  std::unordered_map<std::string_view, std::string_view> names;
  for (const auto& [before, now] : rules.new_ids) names.emplace(now, before);
  return names;
}

// Where each row is in the last index, if it is to keep what it was served. `is_last`: nothing was
// built since from this ledger, so that what silent rows have there is right.
Result<std::vector<std::uint32_t>> old_rows(const Task& task, const Persons& persons,
                                            const PersonClasses& classes, const BuildRules& rules,
                                            const std::vector<bool>& released, const Index& old,
                                            const Profiles& before_this, bool is_last) {
  LastRows there(old);
  std::vector<bool> own = rows_with_own_values(before_this);
  auto renamed = names_before(rules);
  std::vector<std::uint32_t> rows(task.table.rows(), UINT32_MAX);
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    std::uint32_t person = persons.of(RowId{row});
    if (released[row] || !classes.stays(person)) continue;
    std::string name = task.table.names().text(RowId{row});
    auto before = renamed.find(name);
    auto found = there.find(before == renamed.end() ? name : std::string(before->second));
    bool shown = shows(classes.entries[person].status);
    if (found != LastRows::none) {
      // Who chose to show own values, and does so no more, is given shares.
      if (shown || (is_last && !own[found])) rows[row] = found;
    } else if (shown && !rules.new_ids.empty()) {
      return bad_input(
          "the last index does not have a row of the ledger under the old id that the list of new "
          "ids says; if an earlier build went by this list already, leave --ids-from out");
    } else if (shown) {
      return bad_input(
          "the ledger says of a row that it shows something, and the last index does not have it, "
          "so the two do not belong together; put back the pair that does, or start over with "
          "--new-release");
    }
  }
  return rows;
}

std::vector<RowId> rows_left(const std::vector<bool>& released,
                             const std::vector<std::uint32_t>& old_row) {
  std::vector<RowId> rows;
  for (std::uint32_t row = 0; row < released.size(); ++row) {
    if (!released[row] && old_row[row] == UINT32_MAX) rows.push_back(RowId{row});
  }
  return rows;
}

std::vector<bool> rows_shown(const Persons& persons, const std::vector<LedgerEntry>& entries,
                             std::uint32_t rows) {
  std::vector<bool> shown(rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    shown[row] = shows(entries[persons.of(RowId{row})].status);
  }
  return shown;
}

void count_row(const Task& task, RowId row, const LedgerEntry& entry, bool released,
               ReleaseCounts& counts) {
  if (released) {
    ++counts.released;
  } else if (shows(entry.status)) {
    ++counts.kept;
  } else if (entry.status == RowStatus::Waiting) {
    count_waiting(task, row, entry, counts);
  } else {
    ++counts.withdrawn;
  }
  if (entry.status != RowStatus::Changed) return;
  ++counts.changed;
  bool first = counts.changed_since == 0 || entry.since < counts.changed_since;
  if (first) counts.changed_since = entry.since;
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
void report_release(const Demand& demand, const Scheme& scheme, const BuildRules& rules,
                    const std::vector<bool>& shown, const Ledger& before, Release& release) {
  ProtectionReport& report = release.report;
  const ReleaseCounts& counts = release.counts;
  report.rows_without_signal =
      counts.waiting + counts.withdrawn + shown_by_shares(demand, scheme, release.profiles, shown);
  report.unique_rows = unique_rows(release.table, shown);
  release.earlier = before.told;
  release.ledger.told.add(counts.released, report);
  tell_coverage(scheme, rules, release.ledger.told.report, release);
}

std::uint32_t first_free_group(const Ledger& ledger) {
  std::uint32_t next = 0;
  if (!ledger.groups) return next;
  for (const FrozenRung& rung : *ledger.groups) {
    for (const FrozenGroup& group : rung.groups) next = std::max(next, group.number + 1);
  }
  return next;
}

// Gives the groups of the climb, which holds the rows released now, numbers from `first` on.
void number_groups(const Climb& together, std::uint32_t first, const Persons& persons,
                   std::vector<LedgerEntry>& entries) {
  for (std::uint32_t row = 0; row < together.group_of.size(); ++row) {
    if (together.group_of[row] == Climb::no_group) continue;
    entries[persons.of(RowId{row})].group = first + together.group_of[row];
  }
}

// The shares are those of the last ledger: a batch released now serves rows that come later.
Result<FrozenShares> shares_to_serve(const Task& task, const Scheme& scheme, const Ledger& ledger,
                                     const std::vector<RowId>& rows) {
  if (scheme.base_shares != nullptr) return scheme.base_shares(task, ledger.scheme_state, rows);
  FrozenShares frozen = frozen_shares(task, ledger, rows);
  if (scheme.promise == PromiseKind::LikelihoodRatio) {
    estimate_ldp_shares(task, frozen.everybody, frozen.shares);
  }
  return frozen;
}

// What is withdrawn in this build, once it is seen to be news about people.
Status withdraw_changed(const Task& task, const Persons& persons, const Ledger& ledger,
                        const BuildRules& rules, PersonClasses& classes, ReleaseCounts& counts) {
  if (rules.withdraw_after) {
    auto checked = check_vanished_values(task, persons, ledger, classes);
    if (!checked) return checked;
  }
  Withdrawal due = due_withdrawal(task, persons, classes, rules, ledger.build);
  auto scattered = check_scattered(task, persons, ledger, classes, due.changed);
  if (!scattered) return scattered;
  counts.withdrawn_now = due.changed.size();
  counts.company_now = due.company.size();
  counts.withdrawal_gain = due.gain();
  withdraw(due, classes);
  return {};
}

std::vector<std::uint32_t> known_values(const Ledger& ledger) {
  std::vector<std::uint32_t> known;
  for (const LedgerColumn& column : ledger.columns) {
    known.push_back(static_cast<std::uint32_t>(column.values.size()));
  }
  return known;
}

// What earlier builds gave to rows, for schemes that go on from there.
ShownEarlier shown_earlier(const Task& task, const Persons& persons, const Ledger& ledger,
                           const PersonClasses& classes) {
  ShownEarlier earlier;
  std::uint32_t rows = task.table.rows();
  earlier.rows.assign(rows, 0);
  std::vector<std::vector<ValueId>> values(ledger.columns.size(),
                                           std::vector<ValueId>(rows, missing_value));
  for (std::uint32_t p = 0; p < persons.count(); ++p) {
    if (classes.before[p] == nullptr || !shows(classes.entries[p].status)) continue;
    auto codes = ledger.shown_values(*classes.before[p]);
    std::uint32_t count = std::min(classes.before[p]->rows, persons.row_count(p));
    for (std::uint32_t i = 0; i < count; ++i) {
      RowId row = persons.row(p, i);
      earlier.rows[+row] = 1;
      for (std::size_t j = 0; j < values.size(); ++j) {
        values[j][+row] = ValueId{codes[i * values.size() + j]};
      }
    }
  }
  for (std::size_t j = 0; j < values.size(); ++j) {
    earlier.values.emplace_back(task.private_domain_sizes()[j], values[j]);
  }
  return earlier;
}

// Rows that keep what they show and have other public values than when they were released. Those of
// whom that tells too much keep nothing.
Result<std::vector<RowId>> moved_rows(const Task& task, const Persons& persons,
                                      const Ledger& ledger, const BuildRules& rules,
                                      const Index& old, const Profiles& profiles,
                                      PersonClasses& classes, std::vector<std::uint32_t>& old_row,
                                      std::optional<ShownEarlier>& earlier, Json& state,
                                      ReleaseCounts& counts) {
  const auto* grouped = std::get_if<GroupedProfiles>(&profiles.kinds());
  bool fits = find_scheme(task.demand.scheme)->fits_model && earlier && grouped != nullptr;
  if (!fits || state.as_object() == nullptr) return std::vector<RowId>{};
  BuildBefore before{persons, classes, ledger, old, *grouped, old_row};
  auto found = find_moved_rows(task, before, rules, *earlier, state);
  if (!found) return found.error();
  for (std::uint32_t person : found->persons) {
    classes.entries[person].status = RowStatus::Company;
    for (std::uint32_t i = 0; i < persons.row_count(person); ++i) {
      old_row[+persons.row(person, i)] = UINT32_MAX;
      earlier->rows[+persons.row(person, i)] = 0;
    }
  }
  counts.moved = found->rows.size();
  counts.moved_belief = found->largest_belief;
  counts.moved_out_now = found->out;
  return std::move(found->rows);
}

// Serves what the release shows, exchanged once more. The ledger goes on saying what the release
// shows.
void show_further(const Task& task, const FurtherOutput& further, Release& release) {
  Task now{.table = release.table,
           .workload = task.workload,
           .demand = task.demand,
           .key = task.key,
           .together = task.together,
           .person_of = task.person_of,
           .person_names = task.person_names,
           .place_of = task.place_of,
           .threads = task.threads,
           .progress = task.progress};
  const auto& shown = std::get<GroupedProfiles>(release.profiles.kinds());
  FurtherExchange made = exchange_further(now, shown, release.ledger, further);
  release.profiles = std::move(made.profiles);
  release.report.blocks = std::move(made.blocks);
  release.earlier = ReportSoFar{made.kept, {}};
  ReleaseCounts& counts = release.counts;
  counts.waiting += counts.kept - made.kept - made.released;
  counts.kept = made.kept;
  counts.released = made.released;
  counts.moved = 0;  // said where the release is served
  release.report.rows_without_signal = counts.waiting + counts.withdrawn;
  Coverage& coverage = release.coverage;
  coverage.covered = made.kept + made.released;
  coverage.base_only = coverage.rows - coverage.covered - coverage.open;
  coverage.without_model = 0;
}

// The old ledger, whose people are yet to be written (write_people).
Ledger continued(const Ledger& old) {
  Ledger ledger;
  static_cast<LedgerHead&>(ledger) = static_cast<const LedgerHead&>(old);
  ledger.first_names = old.first_names;
  ++ledger.build;
  return ledger;
}

}  // namespace

Result<Release> next_release(const Task& task, const Index& old, const Ledger& ledger,
                             const BuildRules& rules, const FurtherOutput& further) {
  if (auto checked = check_demand(task.table.schema(), task.demand); !checked) {
    return checked.error();
  }
  auto same = check_parameters(ledger.parameters, release_parameters(task.demand, task.key));
  if (!same) return same.error();
  const Scheme& scheme = *find_scheme(task.demand.scheme);
  if (scheme.shows_nothing) return nothing_again(task, ledger, rules);
  Persons persons(task);
  PersonClasses classes = classify(task, persons, ledger, rules);
  if (auto people = check_same_people(task, persons, ledger, classes, rules); !people) {
    return people.error();
  }
  ReleaseCounts counts{.gone = classes.gone};
  auto withdrawn = withdraw_changed(task, persons, ledger, rules, classes, counts);
  if (!withdrawn) return withdrawn.error();
  Showing showing{std::vector<bool>(task.table.rows(), false)};
  if (further.l == 0) showing = rows_to_release(task, scheme, persons, classes, rules);
  const std::vector<bool>& released = showing.rows;
  Profiles before = old.profiles();
  bool is_last = build_of(old) == 0 || build_of(old) == ledger.build;
  auto old_row = old_rows(task, persons, classes, rules, released, old, before, is_last);
  if (!old_row) return old_row.error();

  ServedTask served(task, rows_with_values(released, rules), known_values(ledger));
  served.task().taking_part.assign(released.begin(), released.end());
  served.task().grouping = showing.grouping;
  served.task().shown_before = times_shown(persons, classes, task.table.rows());
  std::optional<ShownEarlier> earlier;
  if (ledger.has_values) earlier = shown_earlier(served.task(), persons, ledger, classes);
  served.task().shown = earlier ? &*earlier : nullptr;
  served.task().scheme_state = ledger.scheme_state.is_null() ? nullptr : &ledger.scheme_state;
  Json state = ledger.scheme_state;
  auto moved = moved_rows(served.task(), persons, ledger, rules, old, before, classes, *old_row,
                          earlier, state, counts);
  if (!moved) return moved.error();
  std::optional<Protection> fresh;
  if (any(released)) {
    auto made = protect_served(served.task());
    if (!made) return made.error();
    fresh = std::move(*made);
  }
  const Profiles* now = fresh ? &fresh->profiles : nullptr;
  if (common_levels(before, now) == 0) {
    return bad_input("the last build has strengths of other steps; start over with --new-release");
  }
  std::vector<RowId> left = rows_left(released, *old_row);
  ProfileMerger merger(served.task(), before, now);
  merger.take_old(*old_row);
  if (fresh) merger.take_fresh(released);
  std::vector<RowId> given = left;
  given.insert(given.end(), moved->begin(), moved->end());
  auto shares = shares_to_serve(served.task(), scheme, ledger, given);
  if (!shares) return shares.error();
  merger.give_shares(left, *moved, std::move(*shares));
  Release release{{},
                  std::move(merger).finish(),
                  fresh ? fresh->report : ProtectionReport{},
                  continued(ledger),
                  counts};
  release.report.rows_in_small_batches = rows_in_small_batch(scheme, release.report, released);
  bool new_state = fresh && !fresh->scheme_state.is_null();
  if (new_state) {
    if (const Json* kept = state.find("moved")) fresh->scheme_state.set("moved", *kept);
    state = std::move(fresh->scheme_state);
  }
  release.ledger.scheme_state = std::move(state);
  release_persons(persons, released, classes.entries);
  if (fresh && ledger.groups) {
    const Climb& together = *showing.grouping;
    std::uint32_t first = first_free_group(ledger);
    number_groups(together, first, persons, classes.entries);
    freeze_batch(served.task(), together, counted_values(served.task(), scheme), first,
                 release.ledger);
  }
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    count_row(task, RowId{row}, classes.entries[persons.of(RowId{row})], released[row],
              release.counts);
  }
  release.table = served.take_table();
  write_people(task.key, {persons, classes.entries, &ledger, &classes.before}, release.table,
               release.profiles, rules, release.ledger);
  report_release(task.demand, scheme, rules,
                 rows_shown(persons, classes.entries, task.table.rows()), ledger, release);
  if (further.l > 0) show_further(task, further, release);
  tell_shares(task, scheme, further.l > 0 ? further.l : task.demand.l, release);
  show_open_rows(rules, release);
  return release;
}

Result<Table> align(const Table& table, const Ledger& ledger, const Schema* before,
                    const BuildRules& rules) {
  auto schema = schema_by_codes(table.schema(), ledger, before, rules);
  if (!schema) return schema.error();
  return align(table, *schema);
}

namespace {

std::int64_t note_of(const Index& index, std::string_view name) {
  const Json* note = index.info().notes.find(name);
  return note == nullptr || note->as_integer() == nullptr ? 0 : *note->as_integer();
}

}  // namespace

std::uint32_t build_of(const Index& index) {
  return static_cast<std::uint32_t>(note_of(index, "build"));
}

bool belong_together(const Index& index, const Ledger& ledger) {
  const Json* parameters = index.info().notes.find("parameters");
  const Json* population = index.info().notes.find("population");
  bool same_people = population != nullptr && population->as_text() != nullptr &&
                     *population->as_text() == ledger.population;
  if (parameters == nullptr || !same_people || note_of(index, "release") != ledger.release) {
    return false;
  }
  return std::any_of(ledger.outputs.begin(), ledger.outputs.end(), [&](const LedgerOutput& output) {
    return output.build == note_of(index, "build") &&
           parameters->dump(-1) == output.parameters.dump(-1);
  });
}

}  // namespace rankveil
