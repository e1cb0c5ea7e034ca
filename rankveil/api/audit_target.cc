#include "rankveil/api/audit_target.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "rankveil/api/partial_workload.h"
#include "rankveil/api/policy_ladder.h"
#include "rankveil/api/policy_rules.h"
#include "rankveil/api/protected_rows.h"
#include "rankveil/attack/targets/open_target.h"
#include "rankveil/audit/campaign.h"
#include "rankveil/audit/effect/refusals.h"
#include "rankveil/audit/live_arena.h"
#include "rankveil/audit/truth.h"
#include "rankveil/base/file.h"
#include "rankveil/protect/chance/ldp_budgets.h"
#include "rankveil/protect/not_sensitive.h"
#include "rankveil/protect/release/release.h"
#include "rankveil/protect/sensitive_sets.h"
#include "rankveil/ranking/index_file.h"
#include "rankveil/ranking/kernels/kernel.h"
#include "rankveil/utility/measure.h"

namespace rankveil::api {

namespace {

constexpr std::array<std::pair<std::string_view, Defense>, 4> defenses = {
    {{"guess", Defense::Guess},
     {"unprotected", Defense::Unprotected},
     {"sets", Defense::Sets},
     {"graded", Defense::Graded}}};

bool is_target_file(const std::string& path) { return path.ends_with(".toml"); }

// ---- Reading ----

// The table that the truth comes from: the one given, or the target itself.
Result<connect::Source> source_of(const TargetInput& input) {
  if (!input.target.empty() && is_missing(input.target)) return no_such_file(input.target);
  connect::Source source = input.input.source;
  bool given = !source.path.empty() || !source.sql.empty();
  if (looks_like_index(input.target) || is_target_file(input.target)) {
    if (given) return source;
    return wrong_use(
        fmt::format("an audit compares with the truth: pass the table that {} ranks with --table",
                    input.target));
  }
  if (given && !same_file(source.path, input.target)) {
    return wrong_use(
        fmt::format("{} is no index and no target file, so it is audited as a table; leave --table "
                    "out, or name an index",
                    input.target));
  }
  source.path = input.target;
  return source;
}

Status read_inputs(const TargetInput& input, OpenedTarget& opened) {
  if (auto problem = kernels::requested_isa_problem(); !problem.empty()) return wrong_use(problem);
  auto source = source_of(input);
  if (!source) return source.error();
  TableInput table = input.input;
  table.source = *source;  // the target itself may be the table that hints are about
  if (auto checked = check_has_policy(table, "audit"); !checked) return checked;
  auto policy = load_policy(input.input);
  if (!policy) return policy.error();
  opened.policy = *std::move(policy);
  auto loaded = connect::read_table(*source, opened.policy, read_options(input.input));
  if (!loaded) return loaded.error();
  opened.table = std::move(loaded->table);
  opened.warnings = std::move(loaded->warnings);
  opened.established = std::move(loaded->established);
  return check_weights(opened.table.schema());
}

Demand policy_demand(const Policy& policy) {
  Demand demand;
  demand.scheme = policy.scheme;
  demand.l = policy.l;
  demand.not_sensitive = not_sensitive_of(policy);
  demand.sensitive_sets = sensitive_sets_of(policy);
  demand.budgets = budgets_of(policy);
  return demand;
}

// An index may leave attributes of the table out; queries may still ask for them.
Result<Workload> workload_of(const TargetInput& input, OpenedTarget& opened) {
  if (input.workload.empty()) return Workload{};
  const Schema& schema = opened.truth.schema();
  auto read = read_partial_workload(input.workload, schema,
                                    private_attributes_missing(opened.table.schema(), schema),
                                    ignored_columns(opened.policy));
  if (!read) return read.error();
  for (std::string& warning : read->warnings) opened.warnings.push_back(std::move(warning));
  return std::move(read->workload);
}

std::uint32_t rows_of_an_answer(const TargetInput& input) {
  constexpr std::uint32_t usual = 100;
  return input.k == 0 ? usual : input.k;
}

// ---- An index ----

std::string declared_text(const std::vector<NotSensitive>& declared) {
  return declared.empty() ? "nothing" : to_text(declared);
}

std::string sets_text(const std::vector<SensitiveSet>& sets) {
  return sets.empty() ? "none" : to_text(sets);
}

std::string budgets_text(const Demand& demand) {
  return demand.budgets.empty() ? "its own for no column" : to_text(demand.budgets);
}

// What the maker of the index did, but for the key.
void read_demand(OpenedTarget& opened) {
  const IndexInfo& info = opened.index->info();
  if (info.unprotected() || info.scheme.empty()) return;
  const Json* parameters = info.notes.find("parameters");
  auto demand = parameters == nullptr ? std::nullopt : demand_from_parameters(*parameters);
  if (!demand) {
    bool rounded = parameters != nullptr && parameters->find("bitmaps") != nullptr;
    opened.warnings.push_back(fmt::format(
        "{}; levels that know the mechanism are left out, and the promise is the policy's",
        rounded ? "the index was made by a version that rounded strengths to what few bitmaps tell "
                  "apart (protect again to have it audited in full)"
                : "the index does not say how it was made"));
    return;
  }
  const Policy& policy = opened.policy;
  if (policy.scheme != demand->scheme || policy.l != demand->l) {
    opened.warnings.push_back(
        fmt::format("the index was made with {}, l = {}, and the policy says {}, l = {}; the "
                    "index is held to its own promise",
                    demand->scheme, demand->l, policy.scheme, policy.l));
  }
  if (spared_by(*demand) != not_sensitive_of(policy) && find_scheme(demand->scheme)->has_caps()) {
    opened.warnings.push_back(
        fmt::format("the index was made with {} declared not sensitive, and the policy declares "
                    "{}; the index is held to its own promise",
                    declared_text(spared_by(*demand)), declared_text(not_sensitive_of(policy))));
  }
  bool other_sets = sets_capped_by(*demand) != sensitive_sets_of(policy);
  if (other_sets && find_scheme(demand->scheme)->caps_sets) {
    opened.warnings.push_back(fmt::format(
        "the index was made with {} as sets of sensitive values, and the policy has {}; the audit "
        "looks at those of the policy",
        sets_text(sets_capped_by(*demand)), sets_text(sensitive_sets_of(policy))));
  }
  bool other_budgets = budgets_used(*demand) != budgets_of(policy);
  if (other_budgets && find_scheme(demand->scheme)->has_budgets()) {
    opened.warnings.push_back(
        fmt::format("the index was made with an epsilon of {}, and the policy has {}; the index is "
                    "held to its own promise",
                    budgets_text(*demand), budgets_text(policy_demand(policy))));
  }
  opened.demand = *demand;
}

// [attribute][value], none at all last.
std::vector<std::vector<double>> shares_in(const FrozenGroup& group, const Ledger& ledger,
                                           const Schema& schema) {
  std::vector<std::vector<double>> shares;
  for (std::uint32_t i = schema.public_count(); i < schema.size(); ++i) {
    const Attribute& attribute = schema.attributes[i];
    auto& own = shares.emplace_back(attribute.domain.size() + std::size_t{1}, 0);
    own.back() = 1;
    for (std::size_t a = 0; a < std::min(group.counts.size(), ledger.shares.size()); ++a) {
      const auto& [name, list] = ledger.shares[a];
      if (name != attribute.name) continue;
      for (const auto& [place, count] : group.counts[a]) {
        auto value = place < list.size() ? attribute.domain.find(list[place].first) : std::nullopt;
        if (!value) continue;
        own[+*value] = static_cast<double>(count) / static_cast<double>(group.rows);
        own.back() -= own[+*value];
      }
    }
    own.back() = std::max(0.0, own.back());
  }
  return shares;
}

// Nothing: the ledger was begun before ledgers had groups.
std::optional<audit::ReleasedGroups> released_in(const Ledger& ledger, const Table& truth) {
  if (!ledger.groups) return std::nullopt;
  audit::ReleasedGroups released;
  std::map<std::uint32_t, std::uint64_t> there;
  for (std::uint32_t row = 0; row < truth.rows(); ++row) {
    auto entry = ledger.rows.find(truth.names().text(RowId{row}));
    bool shown = entry != ledger.rows.end() && shows(entry->second.status);
    if (shown && entry->second.group == LedgerEntry::nobody) return std::nullopt;
    released.group_of.push_back(shown ? entry->second.group : audit::ReleasedGroups::nobody);
    if (shown) ++there[entry->second.group];
  }
  for (const FrozenRung& rung : *ledger.groups) {
    for (const FrozenGroup& group : rung.groups) {
      if (there[group.number] == group.rows) continue;
      released.shares[group.number] = shares_in(group, ledger, truth.schema());
    }
  }
  return released;
}

Status add_mechanism(const TargetInput& input, OpenedTarget& opened) {
  if (opened.index->info().unprotected()) return {};
  if (opened.demand.scheme != opened.index->info().scheme) return {};
  auto workload = workload_of(input, opened);
  if (!workload) return workload.error();
  const Scheme* scheme = find_scheme(opened.demand.scheme);
  if (scheme != nullptr && scheme->uses_workload && input.workload.empty()) {
    opened.warnings.push_back(fmt::format(
        "{} looks at the queries it is tuned for; if there were some, pass them with --workload",
        opened.demand.scheme));
  }
  opened.mechanism = audit::Mechanism{opened.demand, *std::move(workload), opened.ladder};
  opened.mechanism->together = together_of(opened.policy, opened.truth.schema());
  if (scheme != nullptr && scheme->takes_cover) opened.mechanism->taking_part = opened.established;
  const Json* build = opened.index->info().notes.find("build");
  bool continued = build != nullptr && build->as_integer() != nullptr && *build->as_integer() > 1;
  opened.mechanism->one_batch = !continued;
  return {};
}

// What the ledger of a build that continued another says of its batches. Without it the audit goes
// on, and leaves out what hangs on them.
void add_released(const TargetInput& input, OpenedTarget& opened) {
  const Scheme* scheme = find_scheme(opened.demand.scheme);
  std::string path = input.ledger.empty() ? opened.policy.population.ledger : input.ledger;
  bool asked = opened.mechanism && !opened.mechanism->one_batch && scheme != nullptr &&
               scheme->climbs && !path.empty();
  if (!asked) return;
  auto ledger = read_ledger(path);
  if (ledger && belong_together(*opened.index, *ledger)) {
    opened.mechanism->released = released_in(*ledger, opened.truth);
    // Those of ldp count answers, which are nobody's prior.
    auto& released = opened.mechanism->released;
    if (released && scheme->promise == PromiseKind::LikelihoodRatio) released->shares.clear();
    return;
  }
  std::string problem = ledger ? std::string("it is of another build") : ledger.error().message;
  opened.warnings.push_back(fmt::format("{} is not read: {}", path, problem));
}

// From the order of the table to that of the index.
Status move_established(const Table& called, OpenedTarget& opened) {
  if (opened.established.empty()) return {};
  auto rows = audit::rows_by_name(called, *opened.index);
  if (!rows) return rows.error();
  std::vector<std::uint8_t> moved;
  for (RowId row : *rows) moved.push_back(opened.established[+row]);
  opened.established = std::move(moved);
  return {};
}

Status open_in_process(const TargetInput& input, OpenedTarget& opened) {
  auto called = called_as_served(*opened.index, opened.table, input.key_path);
  if (!called) return called.error();
  auto truth = audit::truth_of(*called, *opened.index);
  if (!truth) return truth.error();
  opened.truth = *std::move(truth);
  if (auto moved = move_established(*called, opened); !moved) return moved;
  opened.profiles = opened.index->profiles();
  read_demand(opened);
  auto ladder = ladder_of(opened.policy, opened.truth.schema());
  if (!ladder) return ladder.error();
  opened.ladder = *std::move(ladder);
  if (auto added = add_mechanism(input, opened); !added) return added;
  add_released(input, opened);
  opened.arena = audit::index_arena(*opened.index, *opened.profiles, opened.truth, opened.mechanism,
                                    rows_of_an_answer(input));
  opened.arena.threads = input.input.threads;
  return {};
}

Status open_index_file(const TargetInput& input, OpenedTarget& opened) {
  auto index = open_index(input.target);
  if (!index) return index.error();
  opened.kind = "index";
  opened.index = *std::move(index);
  return open_in_process(input, opened);
}

// ---- A live ranking ----

struct KindName {
  std::string operator()(const attack::IndexConfig&) const { return "index"; }
  std::string operator()(const attack::HttpConfig&) const { return "http"; }
  std::string operator()(const attack::PostgresConfig&) const { return "sql"; }
  std::string operator()(const attack::DuckdbConfig&) const { return "sql"; }
  std::string operator()(const attack::ProgramConfig&) const { return "program"; }
};

attack::Knowledge knowledge_of(const Table& table, std::uint32_t k) {
  attack::Knowledge knowledge;
  knowledge.schema = table.schema();
  knowledge.public_columns = public_part(table).columns;
  knowledge.weights = weights_of(table.schema());
  knowledge.k = k;
  return knowledge;
}

Status settle_belief(const TargetInput& input, OpenedTarget& opened) {
  attack::Belief& belief = opened.arena.knowledge.belief;
  switch (input.defense) {
    case Defense::Unprotected:
      belief = audit::unprotected_belief(opened.truth);
      return {};
    case Defense::Sets:
      belief.kind = attack::ProfileKind::Sets;
      return {};
    case Defense::Graded:
      belief.kind = attack::ProfileKind::Graded;
      return {};
    case Defense::Guess:
      break;
  }
  constexpr std::uint64_t few = 10;
  auto victims = audit::draw_victims(opened.truth.rows(), few, 0xbe11ef);
  auto guessed = audit::guess_belief(opened.arena, opened.truth, victims,
                                     opened.mechanism ? &*opened.mechanism : nullptr);
  if (!guessed) return guessed.error();
  belief = *guessed;
  return {};
}

// What the policy says protects the ranking, but for the key.
Status add_declared_mechanism(const TargetInput& input, OpenedTarget& opened) {
  const Scheme* scheme = find_scheme(opened.demand.scheme);
  if (!opened.policy.names_scheme || scheme == nullptr) return {};
  auto workload = workload_of(input, opened);
  if (!workload) return workload.error();
  if (auto possible = check_demand(opened.truth.schema(), opened.demand); !possible) {
    opened.warnings.push_back(
        fmt::format("{} cannot protect this table as the policy says, so levels that know the "
                    "mechanism are left out: {}",
                    opened.demand.scheme, possible.error().message));
    return {};
  }
  opened.mechanism = audit::Mechanism{opened.demand, *std::move(workload), opened.ladder};
  opened.mechanism->together = together_of(opened.policy, opened.truth.schema());
  if (scheme->takes_cover) opened.mechanism->taking_part = opened.established;
  return {};
}

Status settle_arena(const TargetInput& input, OpenedTarget& opened) {
  audit::Arena& arena = opened.arena;
  arena.own_value_shows =
      !opened.mechanism || audit::shows_own_value(opened.mechanism->demand.scheme);
  if (auto settled = settle_belief(input, opened); !settled) return settled;
  arena.own_value_shows = arena.is_unprotected() || arena.own_value_shows;
  return {};
}

// What nobody may ask for is not attacked, and needs not be.
Status leave_out_refused(const attack::TargetConfig& config, OpenedTarget& opened) {
  const auto* http = std::get_if<attack::HttpConfig>(&config.kind);
  if (http == nullptr || http->refused.status.empty()) return {};
  auto refused = audit::find_refusals(*opened.live, opened.truth);
  if (!refused) return refused.error();
  opened.refused = *std::move(refused);
  opened.truth = audit::without(opened.truth, opened.refused);
  return {};
}

std::vector<std::string> binned_columns(const Policy& policy) {
  std::vector<std::string> names;
  for (const ColumnPolicy& column : policy.columns) {
    if (!std::holds_alternative<std::monostate>(column.bins)) names.push_back(column.name);
  }
  return names;
}

// Two marks of every value fit in what is read beside the table.
std::uint32_t rows_of_a_list(const TargetInput& input, const Table& table) {
  if (input.k != 0) return input.k;
  std::uint32_t largest = 0;
  for (const Attribute& attribute : table.schema().attributes) {
    largest = std::max(largest, attribute.domain.size());
  }
  return table.rows() + 2 * largest + 2;
}

// A ranking that orders by one column is asked for orders, and for nothing else.
Status open_order(const TargetInput& input, const attack::TargetConfig& config,
                  OpenedTarget& opened) {
  auto asked = audit::asked_rows(opened.truth.schema(), binned_columns(opened.policy));
  if (!asked) return asked.error();
  audit::SortArena& sort = opened.sort.emplace();
  sort.asked = *std::move(asked);
  sort.k = rows_of_a_list(input, opened.truth);
  auto target =
      attack::open_target(config, sort.asked.schema, opened.truth.names(),
                          {.k = sort.k, .allow_remote = input.allow_remote, .log = input.log});
  if (!target) return target.error();
  opened.live = *std::move(target);
  sort.target = opened.live;
  const auto* http = std::get_if<attack::HttpConfig>(&config.kind);
  if (http != nullptr && !http->refused.status.empty()) {
    auto refused = audit::refused_orders(sort, opened.truth);
    if (!refused) return refused.error();
    opened.refused = *std::move(refused);
    opened.truth = audit::without(opened.truth, opened.refused);
  }
  opened.arena.knowledge = knowledge_of(opened.truth, sort.k);
  opened.arena.complete = audit::complete_attributes(opened.truth);
  return add_declared_mechanism(input, opened);
}

Status open_live(const TargetInput& input, OpenedTarget& opened) {
  auto config = attack::read_target(input.target);
  if (!config) return config.error();
  opened.kind = std::visit(KindName{}, config->kind);
  opened.truth = opened.table;
  auto ladder = ladder_of(opened.policy, opened.truth.schema());
  if (!ladder) return ladder.error();
  opened.ladder = *std::move(ladder);
  if (config->order) return open_order(input, *config, opened);
  const std::uint32_t k = rows_of_an_answer(input);
  auto target = attack::open_target(*config, opened.truth.schema(), opened.truth.names(),
                                    {.k = k, .allow_remote = input.allow_remote, .log = input.log});
  if (!target) return target.error();
  opened.live = *std::move(target);
  if (auto done = leave_out_refused(*config, opened); !done) return done;
  opened.arena = audit::live_arena(opened.live, knowledge_of(opened.truth, k), opened.truth,
                                   opened.table.schema());
  if (auto added = add_declared_mechanism(input, opened); !added) return added;
  return settle_arena(input, opened);
}

}  // namespace

std::optional<Defense> defense_from_name(std::string_view name) {
  for (const auto& [text, defense] : defenses) {
    if (text == name) return defense;
  }
  return std::nullopt;
}

Result<std::unique_ptr<OpenedTarget>> open_audit_target(const TargetInput& input) {
  auto opened = std::make_unique<OpenedTarget>();
  if (auto read = read_inputs(input, *opened); !read) return read.error();
  opened->demand = policy_demand(opened->policy);
  Status done;
  if (looks_like_index(input.target)) {
    done = open_index_file(input, *opened);
  } else if (is_target_file(input.target)) {
    done = open_live(input, *opened);
  } else {
    opened->kind = "table";
    opened->index = utility::true_ranking(opened->table);
    done = open_in_process(input, *opened);
  }
  if (!done) return done.error();
  return opened;
}

}  // namespace rankveil::api
