#include "bench/figures/lab/campaign.h"

#include <algorithm>
#include <numeric>

#include "rankveil/attack/method.h"
#include "rankveil/audit/new_rows.h"
#include "rankveil/base/parallel.h"

namespace rankveil::figures {
namespace {

using attack::Belief;

bool has_missing(const Table& table) {
  for (std::uint32_t i = table.schema().public_count(); i < table.schema().size(); ++i) {
    std::size_t present = 0;
    table.column(AttributeId{i}).for_each([&](std::size_t, std::uint32_t) { ++present; });
    if (present < table.rows()) return true;
  }
  return false;
}

Belief unprotected_belief(const Table& table) {
  return {.kind = attack::ProfileKind::OneValue, .none_missing = !has_missing(table)};
}

// estt may give a row's own value up; sets that differ in size match by other steps than 1 / l.
Belief mean_belief(const Profiles& served, std::uint32_t l, bool own_rows_match) {
  Belief belief{.kind = attack::ProfileKind::Graded};
  const auto* levels = std::get_if<LevelProfiles>(&served.kinds());
  if (levels == nullptr) return belief;
  belief.levels = levels->levels();
  belief.one_strength = levels->levels() == l;
  belief.own_rows_match = own_rows_match;
  return belief;
}

Belief belief_about(const std::string& scheme, const Demand& demand, const Profiles& served) {
  if (scheme == "pvsv" || scheme == "random") {
    return {.kind = attack::ProfileKind::Sets, .own_rows_match = true, .none_missing = true};
  }
  bool suppresses = scheme == "pvst" && demand.fallback == Fallback::Suppress;
  if (suppresses) return {.kind = attack::ProfileKind::Sets};
  if (scheme == "esvt") return mean_belief(served, demand.l, true);
  if (scheme == "estt") return mean_belief(served, demand.l, false);
  return {.kind = attack::ProfileKind::Graded};
}

std::vector<std::vector<double>> value_shares(const Table& table) {
  std::vector<std::vector<double>> shares;
  for (std::uint32_t i = table.schema().public_count(); i < table.schema().size(); ++i) {
    const Column& column = table.column(AttributeId{i});
    auto& share = shares.emplace_back(column.domain_size(), 0.0);
    column.for_each([&](std::size_t, std::uint32_t code) { share[code] += 1.0 / table.rows(); });
  }
  return shares;
}

// How likely a guess by what the finding leaves is this value. Where profiles are graded, values
// that are proven to match weigh by how strongly, and others count only when none is.
double chance_of(const attack::Finding& finding, bool graded, ValueId truth) {
  bool by_strength = graded && !finding.matched().empty();
  double all = 0, own = 0;
  for (ValueId value : finding.candidates()) {
    bool counts = !by_strength || finding.verdicts[+value] == attack::Verdict::Matched;
    const attack::Strength& strength = finding.strengths[+value];
    double weight = !counts ? 0 : by_strength ? (strength.low + strength.high) / 2 : 1;
    all += weight;
    if (value == truth) own = weight;
  }
  return own / all;
}

void count_finding(const attack::Finding& finding, bool graded, ValueId truth, Tally& tally) {
  ++tally.attempts;
  tally.right += chance_of(finding, graded, truth);
  auto matched = finding.matched();
  bool single = finding.candidates().size() == 1 && matched.size() == 1;
  tally.proven += single ? 1 : 0;
  tally.wrong += single && matched[0] != truth ? 1 : 0;
}

Tally count_report(const Stronghold& held, std::uint32_t victim, const attack::Report& report) {
  Tally tally;
  tally.victims = 1;
  tally.hidden = report.seen ? 0 : 1;
  tally.queries = report.queries;
  tally.inserts = report.inserts;
  bool graded = held.belief.kind == attack::ProfileKind::Graded;
  for (const attack::Finding& finding : report.findings) {
    ValueId truth = held.table.value(RowId{victim}, held.task.private_attribute(finding.attribute));
    if (truth != missing_value) count_finding(finding, graded, truth, tally);
  }
  return tally;
}

void add(const Tally& from, Tally& to) {
  to.victims += from.victims;
  to.hidden += from.hidden;
  to.attempts += from.attempts;
  to.proven += from.proven;
  to.wrong += from.wrong;
  to.right += from.right;
  to.queries += from.queries;
  to.inserts += from.inserts;
}

double share(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

// Rows in an order of their own; each method takes the next ones.
std::vector<std::uint32_t> victims_of(const Stronghold& held, const PaperMethod& method,
                                      const CampaignOptions& options) {
  auto place = static_cast<std::uint64_t>(&method - paper_methods);
  std::vector<std::uint32_t> order = shuffled(held.table.rows(), options.seed);
  std::size_t count = std::min<std::size_t>(options.victims, order.size());
  std::vector<std::uint32_t> victims;
  for (std::size_t i = 0; i < count; ++i) {
    victims.push_back(order[(place * options.victims + i) % order.size()]);
  }
  return victims;
}

}  // namespace

double Tally::proven_share() const { return share(proven, attempts); }
double Tally::hidden_share() const { return share(hidden, victims); }
double Tally::queries_a_victim() const { return share(queries, victims); }
double Tally::inserts_a_victim() const { return share(inserts, victims); }

Stronghold::Stronghold(const Table& rows, const Workload& queries, const Contender& scheme,
                       std::uint64_t seed, std::uint32_t threads)
    : table(rows),
      workload(queries),
      contender(scheme),
      key(SecretKey::from_seed(seed)),
      task{table, workload, contender.demand, key} {
  task.threads = threads;
}

Result<std::unique_ptr<Stronghold>> hold(const Table& table, const Workload& workload,
                                         const Contender& contender, std::uint64_t seed,
                                         std::uint32_t threads) {
  auto held = std::make_unique<Stronghold>(table, workload, contender, seed, threads);
  const std::string& scheme = contender.demand.scheme;
  if (scheme == unprotected) {
    held->profiles.emplace(unprotected_profiles(table));
    held->belief = unprotected_belief(table);
    held->make_profile = attack::unprotected_row(table.schema());
  } else {
    auto made = protect(held->task);
    if (!made) return made.error();
    held->profiles.emplace(std::move(made->profiles));
    held->belief = belief_about(scheme, contender.demand, *held->profiles);
    held->make_profile = audit::new_rows(held->task, *held->profiles);
  }
  held->index.emplace(Index::build(public_part(table), *held->profiles, {.scheme = scheme}));
  return held;
}

Result<Tally> attack_with(const Stronghold& held, const PaperMethod& method,
                          const CampaignOptions& options) {
  std::vector<std::uint32_t> victims = victims_of(held, method, options);
  attack::Knowledge knowledge{held.table.schema(), public_part(held.table).columns,
                              weights_of(held.table.schema()), options.k, held.belief};
  auto priors = value_shares(held.table);
  std::vector<std::optional<Result<attack::Report>>> reports(victims.size());
  parallel_for(victims.size(), options.threads, [&](std::size_t i) {
    attack::IndexTarget target(*held.index, options.k, held.make_profile);
    reports[i] = attack::run(method.name, {.knowledge = knowledge,
                                           .target = target,
                                           .victim = victims[i],
                                           .priors = priors,
                                           .budget = {.queries = options.queries_a_victim}});
  });
  Tally tally;
  tally.method = method.label;
  for (std::size_t i = 0; i < victims.size(); ++i) {
    if (!*reports[i]) return reports[i]->error();
    add(count_report(held, victims[i], **reports[i]), tally);
  }
  return tally;
}

Result<std::vector<Tally>> attack_all(const Stronghold& held, const CampaignOptions& options) {
  std::vector<Tally> tallies;
  for (const PaperMethod& method : paper_methods) {
    auto tally = attack_with(held, method, options);
    if (!tally) return tally.error();
    tallies.push_back(*std::move(tally));
  }
  return tallies;
}

}  // namespace rankveil::figures
