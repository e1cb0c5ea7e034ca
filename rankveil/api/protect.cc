#include "rankveil/api/protect.h"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "rankveil/api/index_output.h"
#include "rankveil/api/partial_workload.h"
#include "rankveil/api/plain_ids.h"
#include "rankveil/api/policy_ladder.h"
#include "rankveil/api/policy_rules.h"
#include "rankveil/api/population.h"
#include "rankveil/api/protected_rows.h"
#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/base/keys/key_file.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/connect/columns.h"
#include "rankveil/connect/relation/standard_input.h"
#include "rankveil/protect/chance/ldp_budgets.h"
#include "rankveil/protect/groups/group_sizes.h"
#include "rankveil/protect/ledger/days.h"
#include "rankveil/protect/ledger/value_codes.h"
#include "rankveil/protect/life/moved_rows.h"
#include "rankveil/protect/life/release_parameters.h"
#include "rankveil/protect/life/withdrawals.h"
#include "rankveil/protect/not_sensitive.h"
#include "rankveil/protect/release/index_again.h"
#include "rankveil/protect/release/telling_shares.h"
#include "rankveil/protect/scheme_options.h"
#include "rankveil/protect/sensitive_sets.h"
#include "rankveil/protect/swap/fitted/units.h"
#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil::api {

namespace {

Status check_paths(const ProtectRequest& request) {
  if (auto checked = check_has_policy(request.input, "protect"); !checked) return checked;
  if (request.key_path.empty()) {
    return wrong_use(
        "protect needs a secret key, so that nobody can undo what it does; make one with rankveil "
        "keygen my.key, keep it, and pass --key my.key");
  }
  bool names_file = !request.workload.empty() && request.workload != connect::standard_input_name;
  if (names_file && is_missing(request.workload)) {
    return no_such_file(request.workload);
  }
  for (const std::string& input : {request.key_path, request.workload, request.input.policy_path,
                                   request.input.source.path, request.ids_from}) {
    if (input.empty() || !same_file(input, request.output)) continue;
    return wrong_use(fmt::format("the output would replace {}; choose another name", input));
  }
  return check_can_write(request.output);
}

Status check_ledger_path(const ProtectRequest& request, const std::string& ledger) {
  for (const std::string& other : {request.output, request.key_path, request.workload,
                                   request.input.policy_path, request.input.source.path}) {
    if (other.empty() || !same_file(other, ledger)) continue;
    return wrong_use(fmt::format("{} is the ledger's name; choose another one", other));
  }
  auto probe = AtomicFile::create(ledger);  // made and dropped
  if (probe) return {};
  return io_error(fmt::format(
      "{}; the ledger stands beside the key unless the policy names another place, [population] "
      "ledger = \"...\"",
      probe.error().message));
}

// ---- The task ----

// Private attributes with too few values for l.
std::vector<LeftOut> attributes_to_leave_out(const Schema& schema, const Demand& demand) {
  std::vector<LeftOut> small;
  const Scheme* scheme = find_scheme(demand.scheme);
  if (scheme == nullptr || !scheme->needs_l_values) return small;
  for (const Attribute& attribute : schema.attributes) {
    bool fits = !attribute.is_private() || attribute.domain.size() >= demand.l;
    if (!fits) small.push_back({attribute.name, attribute.domain.size()});
  }
  return small;
}

Table without(const Table& table, const std::vector<LeftOut>& left_out) {
  Schema schema;
  schema.id_name = table.schema().id_name;
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    const Attribute& attribute = table.schema().attributes[i];
    bool out = std::any_of(left_out.begin(), left_out.end(),
                           [&](const LeftOut& item) { return item.attribute == attribute.name; });
    if (out) continue;
    schema.attributes.push_back(attribute);
    columns.push_back(table.column(AttributeId{i}));
  }
  return Table(std::move(schema), std::move(columns), table.names());
}

std::uint64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

// What the served file says about itself.
Json notes_of(const ProtectResult& result, const Json& parameters) {
  Json notes;
  notes.set("claim", claim_text(result.promise, result.coverage));
  notes.set("promise", result.promise.text());
  add_coverage(result.coverage, notes);
  notes.set("holds_against", json_of_levels(result.holds_against));
  notes.set("conditions", conditions_json(result.promise, result.holds_against));
  notes.set("broken_by", result.broken_by ? Json(level_name(*result.broken_by)) : Json());
  if (!result.known.empty()) notes.set("known", known_columns_json(result.known));
  notes.set("release", result.release).set("population", result.population);
  if (result.planted_rows_count) notes.set("planted", "no promise against planted rows");
  return notes.set("parameters", parameters);
}

std::vector<std::string> warnings_for(const ProtectResult& result, const Demand& demand,
                                      const Workload& workload, const Scheme& scheme) {
  std::vector<std::string> warnings;
  if (scheme.broken_by) {
    warnings.push_back(
        fmt::format("{} holds only against the adversaries it names: one who is {} ({}) breaks it. "
                    "For a promise "
                    "that holds, use swap.",
                    scheme.name, level_name(*scheme.broken_by), level_meaning(*scheme.broken_by)));
  }
  if (scheme.uses_workload && workload.entries.empty()) {
    warnings.push_back(fmt::format(
        "{} is tuned to the queries people ask, and none were given; pass --workload FILE.",
        scheme.name));
  }
  if (result.release > 1 && !result.continued) {
    warnings.push_back(
        fmt::format("This is release {} of these rows. Whoever kept an earlier one can compare the "
                    "two, and will "
                    "often see which values are true: nothing is promised against them.",
                    result.release));
  }
  for (const LeftOut& item : result.left_out) {
    warnings.push_back(
        fmt::format("left out of the score: {}, which has {} and could not keep l = {} "
                    "possible",
                    item.attribute, counted(item.values, "value"), demand.l));
  }
  return warnings;
}

std::string ladder_text(const std::vector<std::vector<std::string>>& ladder) {
  std::vector<std::string> rungs;
  for (const auto& columns : ladder) rungs.push_back("[" + listed(columns) + "]");
  return rungs.empty() ? "none" : listed(rungs);
}

// The order of columns on a rung does not matter.
bool same_rungs(std::vector<std::vector<std::string>> a, std::vector<std::vector<std::string>> b) {
  for (auto& rung : a) std::ranges::sort(rung);
  for (auto& rung : b) std::ranges::sort(rung);
  return a == b;
}

// Rows that show something were given it among the rows of the old ladder, and keep it.
std::optional<std::string> changed_ladder_warning(const Scheme& scheme, const Ledger& before,
                                                  const Policy& policy) {
  bool same = !scheme.climbs || same_rungs(before.ladder, policy.ladder);
  if (same) return std::nullopt;
  return fmt::format(
      "The ladder was {} when this release began and is {} in the policy now. It holds for new "
      "rows only: the others keep what they were given by the old one. To protect every row by "
      "the new one, start over with --new-release.",
      ladder_text(before.ladder), ladder_text(policy.ladder));
}

Status check_some_left(const Table& table, const Demand& demand, bool some_were_left_out) {
  if (table.schema().private_count() > 0 || !some_were_left_out) return {};
  return bad_input(
      fmt::format("no private attribute has l = {} values, so there is nothing left to protect; "
                  "choose a smaller l",
                  demand.l));
}

Status check_can_continue(const LastBuild& previous, const Schema& schema) {
  if (!previous.goes_on() || !schema.id_name.empty()) return {};
  return bad_input(
      "rows without an id cannot be told apart from one build to the next; give a column the role "
      "\"id\" and start over with --new-release");
}

// ---- The parts of one build ----

// What is read, once it is checked.
struct Inputs {
  SecretKey key;
  Policy policy;
  Demand demand;
  const Scheme* scheme;
  PopulationLedger book;
  LastBuild previous;
  BuildRules rules;
};

struct ReadRows {
  Table table;
  connect::RowPeople people;
  std::vector<std::vector<AttributeId>> ladder;
  Workload workload;
};

// Edges of private columns, as a policy has them.
std::map<std::string, std::string> private_bins(const Policy& policy) {
  std::map<std::string, std::string> bins;
  for (const ColumnPolicy& column : policy.columns) {
    const auto* edges = std::get_if<BinEdges>(&column.bins);
    if (column.role != Role::Private || edges == nullptr) continue;
    std::string& text = bins[column.name];
    for (double edge : edges->edges) text += fmt::format("{}{}", text.empty() ? "" : ", ", edge);
  }
  return bins;
}

Status read_new_ids(const std::string& path, BuildRules& rules) {
  if (path.empty()) return {};
  auto ids = connect::read_texts({.path = path}, {"old", "new"});
  if (!ids) return ids.error();
  for (std::size_t i = 0; i < ids->front().size(); ++i) {
    rules.new_ids.emplace_back(std::move(ids->front()[i]), std::move(ids->back()[i]));
  }
  return {};
}

// Rows of people who want nothing of theirs shown.
// Per row, 1: this was chosen. Empty: there was no choice.
std::vector<std::uint8_t> rows_that_chose(const connect::RowPeople& people,
                                          connect::Consent consent) {
  std::vector<std::uint8_t> rows;
  for (std::uint8_t choice : people.consent) {
    rows.push_back(choice == static_cast<std::uint8_t>(consent) ? 1 : 0);
  }
  return rows;
}

std::uint64_t count_marked(const std::vector<std::uint8_t>& rows) {
  return static_cast<std::uint64_t>(std::count(rows.begin(), rows.end(), 1));
}

Result<BuildRules> rules_of(const ProtectRequest& request, const Policy& policy) {
  BuildRules rules;
  rules.today = request.today.value_or(today());
  rules.release_changed = request.release_changed;
  rules.people_changed = request.people_changed;
  rules.forget_gone = request.forget_gone;
  rules.withdraw_after = policy.withdraw_after_days;
  if (request.withdraw_after) {
    rules.withdraw_after.reset();
    if (!request.withdraw_after->never) rules.withdraw_after = request.withdraw_after->days;
  }
  rules.batch_after = request.batch_after ? request.batch_after : policy.batch_after_days;
  rules.bins = private_bins(policy);
  rules.fit_on = policy.population.fit_on;
  for (const ColumnPolicy& column : policy.columns) {
    for (const auto& [before, now] : column.renamed) {
      rules.renamed.push_back({column.name, before, now});
    }
  }
  if (auto read = read_new_ids(request.ids_from, rules); !read) return read.error();
  return rules;
}

Result<Inputs> check_inputs(const ProtectRequest& request) {
  if (auto checked = check_paths(request); !checked) return checked.error();
  auto key = read_key_file(request.key_path);
  if (!key) return key.error();
  auto policy = load_policy(request.input);
  if (!policy) return policy.error();
  Demand demand = demand_of(request, *policy);
  const Scheme* scheme = find_scheme(demand.scheme);
  if (scheme == nullptr) return check_demand({}, demand).error();
  if (auto checked = check_policy(*policy, *scheme); !checked) return checked.error();
  auto rules = rules_of(request, *policy);
  if (!rules) return rules.error();
  std::string path = ledger_path(request.key_path, *policy);
  if (auto checked = check_ledger_path(request, path); !checked) return checked.error();
  auto book = PopulationLedger::open(path);
  if (!book) return book.error();
  auto previous = book->last_build(request.output, request.new_release || request.new_key,
                                   release_parameters(demand, *key));
  if (!previous) return previous.error();
  // What the ledger made is an index, however damaged.
  if (!has_made(previous->ledger, request.output)) {
    if (auto checked = check_index_output(request.output); !checked) return checked.error();
  }
  if (previous->goes_on()) {
    auto named = with_new_names(std::move(previous->ledger), *key, *rules);
    if (!named) return named.error();
    previous->ledger = std::move(*named);
  }
  return Inputs{*key,
                std::move(*policy),
                std::move(demand),
                scheme,
                std::move(*book),
                std::move(*previous),
                std::move(*rules)};
}

// Attributes that the last build left out stay out, and with --allow-partial those that are too
// small now.
std::vector<LeftOut> left_out_of(const ProtectRequest& request, const Inputs& inputs,
                                 const Schema& schema) {
  if (!inputs.previous.goes_on()) {
    return request.allow_partial ? attributes_to_leave_out(schema, inputs.demand)
                                 : std::vector<LeftOut>{};
  }
  std::vector<LeftOut> left_out;
  for (const std::string& name : inputs.previous.ledger.left_out) {
    if (auto found = schema.find(name)) left_out.push_back({name, schema[*found].domain.size()});
  }
  return left_out;
}

Result<ReadRows> read_rows(const ProtectRequest& request, const Inputs& inputs,
                           ProtectResult& result) {
  auto loaded =
      connect::read_table(request.input.source, inputs.policy, read_options(request.input));
  if (!loaded) return loaded.error();
  arrange_as_served(*loaded, inputs.key);
  result.warnings = std::move(loaded->warnings);
  ReadRows rows{std::move(loaded->table), std::move(*loaded), {}, {}};
  if (auto possible = check_can_continue(inputs.previous, rows.table.schema()); !possible) {
    return possible.error();
  }
  const Schema full = rows.table.schema();
  result.left_out = left_out_of(request, inputs, full);
  if (!result.left_out.empty()) rows.table = without(rows.table, result.left_out);
  if (auto some = check_some_left(rows.table, inputs.demand, !result.left_out.empty()); !some)
    return some.error();
  if (inputs.previous.goes_on()) {
    const auto& index = inputs.previous.index;
    auto aligned =
        align(rows.table, inputs.previous.ledger, index ? &index->schema() : nullptr, inputs.rules);
    if (!aligned) return aligned.error();
    rows.table = std::move(*aligned);
  }
  const Schema& schema = rows.table.schema();
  if (auto checked = check_demand(schema, inputs.demand); !checked) return checked.error();
  if (auto working = check_weights(schema); !working) return working.error();
  auto ladder = ladder_of(inputs.policy, schema);
  if (!ladder) return ladder.error();
  rows.ladder = std::move(*ladder);
  if (!request.workload.empty()) {
    auto read =
        read_partial_workload(request.workload, schema, private_attributes_missing(full, schema),
                              ignored_columns(inputs.policy));
    if (!read) return read.error();
    rows.workload = std::move(read->workload);
    for (std::string& warning : read->warnings) result.warnings.push_back(std::move(warning));
  }
  return rows;
}

// Rows with `marked` take no part.
void leave_out(const std::vector<std::uint8_t>& marked, std::vector<std::uint8_t>& taking_part) {
  if (std::find(marked.begin(), marked.end(), 1) == marked.end()) return;
  if (taking_part.empty()) taking_part.assign(marked.size(), 1);
  for (std::size_t row = 0; row < marked.size(); ++row) {
    if (marked[row] != 0) taking_part[row] = 0;
  }
}

Error cannot_tell_rows() {
  return bad_input(
      "the last index has no names for its rows (ids = \"none\"), and the ledger knows persons, "
      "not "
      "rows, so which row is which cannot be told; start over with --new-release, and write ids = "
      "\"keyed\" into the policy, which keeps names that only the key tells");
}

// Ledgers go by ids, whatever indexes call rows; those who have new ones (--ids-from) by the old.
Result<Index> last_index_by_ids(const Index& index, const Inputs& inputs, const RowNames& ids) {
  IdForm form = served_ids_of(index.info()).form;
  if (form == IdForm::None && !inputs.policy.person.empty()) return cannot_tell_rows();
  std::unordered_map<std::string_view, std::string_view> before;
  for (const auto& [old, now] : inputs.rules.new_ids) before.emplace(now, old);
  TextNames names;
  auto add = [&](std::string_view name) {
    auto old = before.find(name);
    names.bytes += old == before.end() ? name : old->second;
    names.ends.push_back(names.bytes.size());
  };
  if (form == IdForm::None) {
    for (const auto& [name, entry] : inputs.previous.ledger.rows) add(name);
  } else {
    for (std::uint32_t row = 0; row < ids.size(); ++row) add(ids.text(RowId{row}));
  }
  return called_by_ids(index, RowNames(std::move(names)), inputs.key);
}

void add_history_note(const Task& task, Release& release) {
  std::uint64_t rows = fitted::rows_of_rare_histories(task);
  if (rows == 0) return;
  release.report.notes.push_back(fmt::format(
      "{} of people with more than {} rows, or with as many as fewer than {} people have, show "
      "nothing of their own: their histories are not traded.",
      counted(rows, "row"), fitted::longest_history, GroupSizes::in_use().history_class));
}

Status check_further(const Inputs& inputs) {
  if (inputs.demand.l > max_steps) {
    return wrong_use(fmt::format(
        "swap serves strengths in steps of 1/l, and l = {} is too fine; use an l of at most {}",
        inputs.demand.l, max_steps));
  }
  bool named = inputs.policy.ids != IdForm::None &&
               served_ids_of(inputs.previous.index->info()).form != IdForm::None;
  if (named) return {};
  return wrong_use(
      "outputs under two l need names for their rows, and the policy serves none (ids = \"none\"); "
      "write ids = \"keyed\", or keep l");
}

// What the release shows, exchanged once more for an output under a larger l.
Result<Release> make_further(const Inputs& inputs, Task task, const BuildRules& rules,
                             const Index& old) {
  if (auto checked = check_further(inputs); !checked) return checked.error();
  Demand of_release = inputs.demand;
  of_release.l =
      *smaller_l(inputs.previous.ledger.parameters, release_parameters(inputs.demand, inputs.key));
  Task base{.table = task.table,
            .workload = task.workload,
            .demand = of_release,
            .key = task.key,
            .ladder = std::move(task.ladder),
            .taking_part = std::move(task.taking_part),
            .declared = std::move(task.declared),
            .together = std::move(task.together),
            .person_of = std::move(task.person_of),
            .person_names = std::move(task.person_names),
            .place_of = std::move(task.place_of),
            .threads = task.threads,
            .progress = task.progress};
  std::optional<Index> last;
  if (inputs.previous.further) {
    auto named = last_index_by_ids(*inputs.previous.further, inputs, task.table.names());
    if (!named) return named.error();
    last = std::move(*named);
  }
  FurtherOutput further{inputs.demand.l, last ? &*last : nullptr};
  auto release = next_release(base, old, inputs.previous.ledger, rules, further);
  if (!release) return release;
  release->report.notes.push_back(fmt::format(
      "What rows show under l = {} is exchanged once more here. Whoever holds both outputs learns "
      "what that one tells, and no more.",
      of_release.l));
  return release;
}

Result<Release> make_release(const ProtectRequest& request, const Inputs& inputs,
                             const ReadRows& rows) {
  Task task{.table = rows.table,
            .workload = rows.workload,
            .demand = inputs.demand,
            .key = inputs.key,
            .ladder = rows.ladder,
            .declared = declared_domains(inputs.policy, rows.table.schema()),
            .threads = request.input.threads,
            .progress = request.input.progress};
  BuildRules rules = inputs.rules;
  rules.hidden = rows_that_chose(rows.people, connect::Consent::Hidden);
  rules.open = rows_that_chose(rows.people, connect::Consent::Open);
  add_people(inputs.policy, rows.people, task);
  if (inputs.scheme->takes_cover) task.taking_part = rows.people.established;
  leave_out(rules.hidden, task.taking_part);
  leave_out(rules.open, task.taking_part);
  if (!inputs.previous.damage.empty()) {
    return next_release_without_index(task, inputs.previous.ledger, rules);
  }
  if (!inputs.previous.index) {
    auto release = first_release(task, rules, inputs.previous.releases + 1);
    if (release && inputs.scheme->fits_model) add_history_note(task, *release);
    return release;
  }
  auto old = last_index_by_ids(*inputs.previous.index, inputs, rows.table.names());
  if (!old) return old.error();
  if (!inputs.previous.goes_further) {
    return next_release(task, *old, inputs.previous.ledger, rules);
  }
  return make_further(inputs, task, rules, *old);
}

// A promise about nobody sounds like protection that still ranks.
std::string nobody_shows_warning(const ProtectResult& result, const Demand& demand,
                                 const Scheme& scheme) {
  if (result.established_rows == 0) {
    return "No row shows anything of its own, because none is established: the ranking goes by "
           "shares alone. Look at the policy's rule \"established\".";
  }
  if (!scheme.reads("n-min")) {
    return fmt::format(
        "No row shows anything of its own: {} takes 100 rows that hide each other, and {} could. "
        "The ranking knows nothing of private values; wait for more rows.",
        scheme.name, grouped(result.established_rows));
  }
  return fmt::format(
      "No row shows anything of its own: it takes {} rows that hide each other (--n-min), and {} "
      "could. The ranking knows nothing of private values; choose a smaller --n-min, or wait for "
      "more rows.",
      grouped(demand.least_group), grouped(result.established_rows));
}

// What was withdrawn, and who waits: full sentences.
std::vector<std::string> notes_on_life(const ProtectResult& result, const BuildRules& rules) {
  const ReleaseCounts& counts = result.counts;
  std::vector<std::string> notes;
  if (counts.withdrawn_now > 0) {
    notes.push_back(fmt::format(
        "{} withdrawn because private values changed, beside {} whose values did not. Who sees "
        "that "
        "one of them shows nothing any more learns with a gain of {:.2f} that it changed.",
        counted(counts.withdrawn_now, "row"), grouped(counts.company_now), counts.withdrawal_gain));
  }
  if (counts.moved > 0) {
    notes.push_back(fmt::format(
        "{} other public values than when {} released, and keep what they show. Anyone who knows "
        "old "
        "and new ones believes with at most {:.2f} that one of them shows its own in some column "
        "(1/l = {:.2f} otherwise).",
        counted(counts.moved, "row") + (counts.moved == 1 ? " has" : " have"),
        counts.moved == 1 ? "it was" : "they were", counts.moved_belief, 1.0 / result.l));
  }
  if (counts.moved_out_now > 0) {
    notes.push_back(fmt::format(
        "{} shares alone from now on: by old and new public values together, a coin would be "
        "believed with more than {:.1f}.",
        counted(counts.moved_out_now, "row") + (counts.moved_out_now == 1 ? " shows" : " show"),
        most_believed_of_moved));
  }
  if (counts.changed > 0) {
    notes.push_back(fmt::format(
        "{} changed since {} and {} what they showed{}.", counted(counts.changed, "row"),
        date_text(counts.changed_since), counts.changed == 1 ? "shows" : "show",
        rules.withdraw_after ? fmt::format(", until there are {} or {} days have passed",
                                           enough_changes, *rules.withdraw_after)
                             : std::string()));
  }
  std::uint64_t newcomers = counts.waiting - counts.not_established;
  if (result.continued && newcomers > 0) {
    notes.push_back(fmt::format(
        "{} for others to hide among since {}: it takes {} newcomers{}.",
        counted(newcomers, "new row") + (newcomers == 1 ? " waits" : " wait"),
        date_text(counts.waiting_since), GroupSizes::in_use().batch,
        rules.batch_after ? fmt::format(", or {} days", *rules.batch_after) : std::string()));
  }
  return notes;
}

std::string new_key_warning() {
  return "Under a new key everybody draws anew. Where an output of the old key and one of the new "
         "agree about a row, the value is its own in .93 of all cases (swap, l = 3): take the old "
         "files out of use, and count on those that were copied.";
}

std::string planted_warning() {
  return "The policy has no rule \"established\", so every row counts as a real person: nothing is "
         "promised against who can add rows and surround somebody with them. Write established = "
         "{ column = ..., before = ... } into it.";
}

// The sentence on the damage ends with a way out that is not needed.
std::string made_again_warning(const std::string& damage, const std::string& ledger) {
  return fmt::format(
      "{}. What rows show was taken from {} instead, so they keep it. That is right where it is "
      "the "
      "ledger of the last build: under an older copy, people who were released since would show a "
      "second answer.",
      damage.substr(0, damage.rfind(';')), ledger);
}

void add_warnings(const ProtectRequest& request, const Inputs& inputs, const ReadRows& rows,
                  const Schema& schema, ProtectResult& result) {
  const Scheme& scheme = *inputs.scheme;
  for (auto& warning : warnings_for(result, inputs.demand, rows.workload, scheme)) {
    result.warnings.push_back(std::move(warning));
  }
  bool reads_l = !scheme.shows_nothing && scheme.promise != PromiseKind::LikelihoodRatio;
  if (request.input.overrides.l && !reads_l) {
    result.warnings.push_back(fmt::format(
        "--l changes nothing: {} {}.", scheme.name,
        scheme.shows_nothing ? "shows no private value" : "goes by --epsilon and --epsilon-of"));
  }
  for (auto& warning : telling_shares_warnings(result.report.base, inputs.demand.l)) {
    result.warnings.push_back(std::move(warning));
  }
  if (!scheme.has_caps() && !inputs.demand.not_sensitive.empty()) {
    result.warnings.push_back(
        fmt::format("{} makes no difference between values, so not_sensitive has no effect: {}; "
                    "cluster and capped go by it.",
                    scheme.name, to_text(inputs.demand.not_sensitive)));
  }
  if (!scheme.caps_sets && scheme.has_caps() && !inputs.demand.sensitive_sets.empty()) {
    result.warnings.push_back(
        fmt::format("{} caps each value by itself, so sensitive_sets has no effect: {}; swap and "
                    "cluster hold their promise for sets, too.",
                    scheme.name, to_text(inputs.demand.sensitive_sets)));
  }
  if (!scheme.has_budgets() && !inputs.demand.budgets.empty()) {
    result.warnings.push_back(
        fmt::format("{} knows no budgets, so epsilon has no effect: {}; ldp goes by it.",
                    scheme.name, to_text(inputs.demand.budgets)));
  }
  if (!inputs.previous.damage.empty()) {
    result.warnings.push_back(made_again_warning(inputs.previous.damage, inputs.book.path()));
  }
  if (inputs.previous.goes_on()) {
    auto changed = changed_ladder_warning(scheme, inputs.previous.ledger, inputs.policy);
    if (changed) result.warnings.push_back(std::move(*changed));
  }
  if (result.counts.kept + result.counts.released == 0 && !scheme.shows_nothing) {
    result.warnings.push_back(nobody_shows_warning(result, inputs.demand, scheme));
  }
  if (result.planted_rows_count) result.warnings.push_back(planted_warning());
  if (request.new_key) result.warnings.push_back(new_key_warning());
  if (inputs.rules.batch_after && result.continued && scheme.takes_cover) {
    result.warnings.push_back(fmt::format(
        "Newcomers are released after {} days though they may be fewer than {}: the fewer they "
        "are, "
        "the more is believed of each, and one among planted rows has nobody to hide among. The "
        "promise does not cover them.",
        *inputs.rules.batch_after, GroupSizes::in_use().batch));
  }
  if (!result.telling_ids.empty()) {
    result.warnings.push_back(fmt::format(
        "ids are served although they tell private values (ids_tell): rows stand side by side with "
        "others of the same {}; nothing is promised against who goes by ids.",
        to_text(result.telling_ids, rows.table.rows())));
  }
  if (schema.id_name.empty()) {
    result.warnings.emplace_back(
        "rows have no id, so the next build cannot let them keep what they show; give a column the "
        "role \"id\"");
  }
}

std::optional<std::uint64_t> coarser_rows_of(const Scheme& scheme, const Release& release) {
  if (!scheme.climbs || !scheme.leans_on_groups()) return std::nullopt;
  // A first build that is done once more speaks of all its rows itself.
  std::uint64_t before = release.earlier ? coarser_rows(release.earlier->report) : 0;
  // Some of the rows that earlier builds speak of may be gone.
  return std::min(before + coarser_rows(release.report),
                  release.counts.kept + release.counts.released);
}

// Who chose to show everything or nothing waits for nobody.
ReleaseCounts without_choices(const ReadRows& rows, const Release& release) {
  ReleaseCounts counts = release.counts;
  const connect::RowPeople& people = rows.people;
  for (std::uint32_t row = 0; row < people.consent.size(); ++row) {
    if (people.consent[row] == static_cast<std::uint8_t>(connect::Consent::Protected)) continue;
    auto entry = release.ledger.rows.find(people.person_of.empty()
                                              ? rows.table.names().text(RowId{row})
                                              : people.person_names[people.person_of[row]]);
    if (entry == release.ledger.rows.end()) continue;
    bool waiting = entry->second.status == RowStatus::Waiting;
    std::uint64_t& count = waiting ? counts.waiting : counts.withdrawn;
    count -= std::min<std::uint64_t>(count, 1);
    if (waiting) counts.not_established -= std::min<std::uint64_t>(counts.not_established, 1);
  }
  return counts;
}

void describe(const ProtectRequest& request, const Inputs& inputs, const ReadRows& rows,
              const Release& release, ProtectResult& result) {
  const Schema& schema = release.table.schema();
  const Scheme& scheme = *inputs.scheme;
  result.output = request.output;
  result.ledger = inputs.book.path();
  result.population = inputs.policy.population.name;
  result.replaced = file_exists(request.output);
  result.continued = inputs.previous.goes_on();
  result.scheme = scheme.name;
  result.summary = scheme.summary;
  result.l = inputs.demand.l;
  result.promise = scheme.promise_for(inputs.demand, schema);
  result.not_sensitive = spared_by(inputs.demand);
  result.sensitive_sets = sets_capped_by(inputs.demand);
  result.ids = inputs.policy.ids;
  result.open_rows = count_marked(rows_that_chose(rows.people, connect::Consent::Open));
  result.hidden_rows = count_marked(rows_that_chose(rows.people, connect::Consent::Hidden));
  if (scheme.has_budgets()) result.epsilons = LdpBudgets(schema, inputs.demand).by_name(schema);
  result.holds_against = scheme.holds_against;
  if (release.shown_twice() && !scheme.shows_nothing) {
    std::erase(result.holds_against, AdversaryLevel::Intersecting);
  }
  result.broken_by = scheme.broken_by;
  result.caution = scheme.caution;
  result.shows_nothing = scheme.shows_nothing;
  result.leans_on_groups = scheme.leans_on_groups();
  bool falls_back = scheme.reads("fallback");
  if (falls_back) result.fallback = find_scheme_option("fallback")->text(inputs.demand);
  result.release = release.ledger.release;
  result.rows = rows.table.rows();
  result.public_attributes = schema.public_count();
  result.private_attributes = schema.private_count();
  const auto& marks = rows.people.established;
  auto established = std::count(marks.begin(), marks.end(), 1);
  result.established_rows =
      marks.empty() ? rows.table.rows() : static_cast<std::uint64_t>(established);
  for (const Attribute& attribute : schema.attributes) {
    if (attribute.is_private()) result.attributes.push_back(attribute.name);
  }
  result.counts = without_choices(rows, release);
  result.coverage = release.coverage;
  result.report = release.report;
  result.earlier = release.earlier;
  result.coarser_rows = coarser_rows_of(scheme, release);
  result.planted_rows_count =
      scheme.takes_cover && !scheme.shows_nothing && rows.people.established.empty();
  for (std::string& note : notes_on_life(result, inputs.rules)) {
    result.report.notes.push_back(std::move(note));
  }
  add_warnings(request, inputs, rows, schema, result);
}

Status write_release(const ProtectRequest& request, const Inputs& inputs, Release& release,
                     ProtectResult& result) {
  ServedIds ids = served_ids_for(inputs.policy, request.output);
  auto rows = rows_to_serve(release.table, ids, inputs.key);
  if (!rows) return rows.error();
  Json notes = notes_of(result, release_parameters(inputs.demand, inputs.key))
                   .set("build", release.ledger.build);
  notes.set("ids", to_json(ids));
  if (!result.telling_ids.empty()) notes.set("telling_ids", telling_ids_json(result.telling_ids));
  if (result.open_rows + result.hidden_rows > 0) {
    notes.set("consent", Json().set("open", result.open_rows).set("hidden", result.hidden_rows));
  }
  Index index = Index::build(std::move(*rows), release.profiles,
                             {.scheme = result.scheme,
                              .l = result.l,
                              .default_k = inputs.policy.k,
                              .notes = std::move(notes)});
  release.ledger.population = inputs.policy.population.name;
  return inputs.book.write(index, request.output, std::move(release.ledger));
}

}  // namespace

Demand demand_of(const ProtectRequest& request, const Policy& policy) {
  Demand demand = request.demand;
  demand.scheme = policy.scheme;
  demand.l = policy.l;
  demand.not_sensitive = not_sensitive_of(policy);
  demand.sensitive_sets = sensitive_sets_of(policy);
  demand.budgets = budgets_of(policy);
  return demand;
}

Result<ProtectResult> protect(const ProtectRequest& request) {
  if (auto problem = kernels::requested_isa_problem(); !problem.empty()) return wrong_use(problem);
  auto inputs = check_inputs(request);
  if (!inputs) return inputs.error();
  ProtectResult result;
  Stopwatch reading;
  auto rows = read_rows(request, *inputs, result);
  if (!rows) return rows.error();
  result.read_seconds = reading.seconds();

  Stopwatch protecting;
  auto known =
      check_public_columns(inputs->policy, rows->table, rows->people, request.input.threads);
  if (!known) return known.error();
  result.known = *std::move(known);
  for (std::string& warning : person_warnings(inputs->policy, rows->table, request.input.threads)) {
    result.warnings.push_back(std::move(warning));
  }
  auto telling = check_plain_ids(inputs->policy, rows->table, rows->people, request.input.threads);
  if (!telling) return telling.error();
  result.telling_ids = *std::move(telling);
  report(request.input.progress, "protecting with " + inputs->demand.scheme, 0);
  auto release = make_release(request, *inputs, *rows);
  if (!release) return release.error();
  bool begins = inputs->previous.ledger.outputs.empty();
  if (begins && !request.new_key && !request.new_release) {
    auto none = inputs->book.check_older_ledgers(inputs->key, request.key_path, request.output);
    if (!none) return none.error();
  }
  if (begins && !request.new_key) {
    auto alone = inputs->book.check_other_keys(release->ledger, request.key_path);
    if (!alone) return alone.error();
  }
  for (const LeftOut& item : result.left_out) {
    auto& names = release->ledger.left_out;
    if (std::find(names.begin(), names.end(), item.attribute) == names.end()) {
      names.push_back(item.attribute);
    }
  }
  describe(request, *inputs, *rows, *release, result);
  result.protect_seconds = protecting.seconds();
  result.dry_run = request.dry_run;
  if (request.dry_run) return result;

  Stopwatch writing;
  report(request.input.progress, "writing " + request.output, 0.8);
  if (auto written = write_release(request, *inputs, *release, result); !written) {
    return written.error();
  }
  result.write_seconds = writing.seconds();
  std::error_code problem;
  auto bytes = std::filesystem::file_size(request.output, problem);
  result.file_bytes = problem ? 0 : bytes;
  result.peak_memory = peak_memory();
  return result;
}

Result<KeygenResult> keygen(const std::string& path, std::optional<std::uint32_t> seed) {
  SecretKey key = seed ? SecretKey::from_seed(*seed) : SecretKey::random();
  if (auto written = write_key_file(key, path); !written) return written.error();
  return KeygenResult{path, key.fingerprint()};
}

Json to_json(const KeygenResult& result) {
  return Json().set("path", result.path).set("fingerprint", result.fingerprint);
}

}  // namespace rankveil::api
