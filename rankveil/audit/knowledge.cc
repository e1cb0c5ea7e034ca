#include "rankveil/audit/knowledge.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "rankveil/audit/people/coin_level.h"
#include "rankveil/audit/prior.h"
#include "rankveil/base/parallel.h"
#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::audit {

// Rows of the population by their values in some public columns.
struct Knowledge::Rung {
  std::vector<AttributeId> columns;
  std::map<std::vector<std::uint32_t>, std::vector<RowId>> rows;

  static std::vector<std::uint32_t> values(const Table& table, RowId row,
                                           const std::vector<AttributeId>& columns) {
    std::vector<std::uint32_t> list;
    for (AttributeId column : columns) list.push_back(+table.value(row, column));
    return list;
  }

  Rung(const Table& population, std::vector<AttributeId> by) : columns(std::move(by)) {
    for (std::uint32_t row = 0; row < population.rows(); ++row) {
      rows[values(population, RowId{row}, columns)].push_back(RowId{row});
    }
  }
};

Knowledge::Knowledge(const Observed& observed, std::uint32_t threads)
    : observed_(observed), threads_(threads), key_(SecretKey::from_seed(0)) {
  const Schema& schema = observed.table.schema();
  for (std::uint32_t i = schema.public_count(); i < schema.size(); ++i) {
    domains_.push_back(schema.attributes[i].domain.size());
  }
  find_spared();
}

void Knowledge::find_spared() {
  SparedValues values = spared_values(observed_);
  spared_.resize(width());
  for (std::uint32_t j = 0; values.any() && j < width(); ++j) {
    for (std::uint32_t code = 0; code <= domains_[j]; ++code) {
      spared_[j].push_back(values.has(PrivateId{j}, code) ? 1 : 0);
    }
  }
}

Result<std::unique_ptr<const Knowledge>> Knowledge::make(const Observed& observed,
                                                         std::uint32_t threads) {
  std::unique_ptr<Knowledge> made(new Knowledge(observed, threads));
  if (auto checked = made->check(); !checked) return checked.error();
  if (auto prepared = made->prepare(); !prepared) return prepared.error();
  return std::unique_ptr<const Knowledge>(std::move(made));
}

std::string_view Knowledge::scheme() const {
  return observed_.mechanism ? std::string_view(observed_.mechanism->demand.scheme) : "";
}

namespace {

std::vector<std::uint32_t> domains_in(const Profiles& profiles) {
  if (const auto* grouped = std::get_if<GroupedProfiles>(&profiles.kinds())) {
    return grouped->signals.domain_sizes();
  }
  return std::get_if<LevelProfiles>(&profiles.kinds())->domain_sizes();
}

Status check_profiles(const Table& table, const std::vector<std::uint32_t>& domains,
                      const Profiles& profiles) {
  if (profiles.rows() != table.rows()) {
    return bad_input(
        fmt::format("the profiles have {} rows and the table has "
                    "{}; an audit needs the table they "
                    "were made of",
                    profiles.rows(), table.rows()));
  }
  if (domains_in(profiles) != domains) {
    return bad_input(
        "the profiles and the table differ in the values of "
        "private attributes; an audit needs the "
        "table they were made of");
  }
  return {};
}

Status check_population(const Schema& schema, const Schema& other) {
  bool same = schema.size() == other.size() && schema.public_count() == other.public_count();
  for (std::uint32_t i = 0; same && i < schema.size(); ++i) {
    same = schema.attributes[i].domain == other.attributes[i].domain;
  }
  if (same) return {};
  return bad_input(
      "the other population has other attributes or values than "
      "the table; read both by one "
      "policy");
}

}  // namespace

Status Knowledge::check() const {
  if (observed_.table.schema().private_count() == 0) {
    return bad_input("no attribute is private, so there is nothing to guess");
  }
  std::vector<const Profiles*> all = observed_.others;
  all.push_back(&observed_.profiles);
  for (const Profiles* profiles : all) {
    if (auto same = check_profiles(observed_.table, domains_, *profiles); !same) return same;
  }
  if (observed_.population != nullptr) {
    auto same = check_population(observed_.table.schema(), observed_.population->schema());
    if (!same) return same;
  }
  if (!observed_.mechanism) return {};
  const Mechanism& mechanism = *observed_.mechanism;
  if (!mechanism.taking_part.empty() && mechanism.taking_part.size() != observed_.table.rows()) {
    return bad_input(fmt::format("{} rows are said to take part or not, of {} in the table",
                                 mechanism.taking_part.size(), observed_.table.rows()));
  }
  if (mechanism.released && mechanism.released->group_of.size() != observed_.table.rows()) {
    return bad_input(
        fmt::format("it is said of {} rows which were released together, of {} in the "
                    "table",
                    mechanism.released->group_of.size(), observed_.table.rows()));
  }
  return check_demand(observed_.table.schema(), mechanism.demand);
}

namespace {

// Whether a profile means something by itself. Those of swap and swap-exact are
// signals beside shares of groups, and those of ldp hang on what all rows
// answered.
bool speaks_for_itself(std::string_view scheme) { return !exchange_of(scheme) && scheme != "ldp"; }

Form form_of(std::string_view scheme) {
  if (scheme == "swap") return Form::Fitted;
  if (scheme == "swap-exact") return Form::Swap;
  if (scheme == "cluster") return Form::Cluster;
  return has_likelihood(scheme) ? Form::Product : Form::Unknown;
}

}  // namespace

Status Knowledge::prepare() {
  if (observed_.mechanism) {
    const Mechanism& mechanism = *observed_.mechanism;
    bool readable = observed_.sight == nullptr || speaks_for_itself(mechanism.demand.scheme);
    form_ = readable ? form_of(mechanism.demand.scheme) : Form::Unknown;
    task_.emplace(Task{.table = observed_.table,
                       .workload = mechanism.workload,
                       .demand = mechanism.demand,
                       .key = key_,
                       .ladder = mechanism.ladder,
                       .taking_part = mechanism.taking_part});
  } else {
    task_.emplace(Task{
        .table = observed_.table, .workload = no_workload_, .demand = no_demand_, .key = key_});
  }
  task_->threads = threads_;
  if (observed_.population != nullptr) {
    population_task_.emplace(Task{.table = *observed_.population,
                                  .workload = task_->workload,
                                  .demand = task_->demand,
                                  .key = key_,
                                  .ladder = task_->ladder});
    population_task_->threads = threads_;
    for (const auto& columns : rungs_of(*task_)) {
      rungs_.push_back(std::make_shared<const Rung>(*observed_.population, columns));
    }
  }
  if (auto read = read_releases(); !read) return read;
  hide_absent();
  hide_unknown();
  if (auto found = find_groups(); !found) return found;
  if (auto found = find_laws(); !found) return found;
  find_repeats();
  count_shares();
  return {};
}

Status Knowledge::read_releases() {
  std::vector<const Profiles*> all = {&observed_.profiles};
  all.insert(all.end(), observed_.others.begin(), observed_.others.end());
  dictionaries_.resize(width());
  signal_dictionaries_.resize(width());
  for (const Profiles* profiles : all) {
    const auto* grouped = std::get_if<GroupedProfiles>(&profiles->kinds());
    bool is_swap = form_ == Form::Swap || form_ == Form::Fitted;
    if (is_swap && grouped == nullptr) {
      return bad_input(fmt::format("these are no profiles of {}: rows have no groups", scheme()));
    }
    ReleaseKinds& release = releases_.emplace_back();
    ReleaseKinds& signals = signals_.emplace_back();
    release.kinds.resize(width());
    signals.kinds.resize(width());
    parallel_for(width(), threads_, [&](std::size_t j) {
      PrivateId attribute{static_cast<std::uint32_t>(j)};
      release.kinds[j] = kinds_of(*profiles, attribute, dictionaries_[j]);
      if (form_ != Form::Swap && form_ != Form::Fitted) return;
      signals.kinds[j] = kinds_of(grouped->signals, attribute, signal_dictionaries_[j]);
    });
  }
  return {};
}

// Of people who come and go, no release tells of those whom it does not have.
void Knowledge::hide_absent() {
  for (std::size_t r = 0; r < observed_.other_rows.size(); ++r) {
    const std::vector<std::uint8_t>& there = observed_.other_rows[r];
    for (std::uint32_t row = 0; row < there.size(); ++row) {
      if (there[row] != 0) continue;
      for (auto& kinds : releases_[r + 1].kinds) kinds[row] = untold;
      for (auto& kinds : signals_[r + 1].kinds) {
        if (!kinds.empty()) kinds[row] = untold;
      }
    }
  }
}

// Where a scheme treats vectors as wholes, so does whoever reads them.
void Knowledge::hide_unknown() {
  if (observed_.sight == nullptr) return;
  const auto& known = observed_.sight->known;
  bool whole_vectors = form_ == Form::Swap || form_ == Form::Cluster;
  for (std::uint32_t row = 0; row < table().rows(); ++row) {
    bool wholly =
        std::all_of(known.begin(), known.end(), [&](const auto& one) { return one[row] != 0; });
    for (std::uint32_t j = 0; j < width(); ++j) {
      bool is_known = whole_vectors ? wholly : known[j][row] != 0;
      if (!is_known) releases_[0].kinds[j][row] = untold;
    }
  }
}

Status Knowledge::find_groups() {
  const Scheme* known = find_scheme(scheme());
  if (form_ == Form::Fitted) {
    groups_ = public_groups(*task_, *std::get_if<GroupedProfiles>(&observed_.profiles.kinds()));
  } else if (form_ == Form::Swap) {
    groups_ = named_groups(*task_, *std::get_if<GroupedProfiles>(&observed_.profiles.kinds()));
  } else if (known != nullptr && known->climbs) {
    // Rows that came later were protected among themselves. On the table of today the ladder would
    // put them, and rows of the first release, into groups that nothing was ever made for.
    const Mechanism& mechanism = *observed_.mechanism;
    bool by_batch = !mechanism.one_batch && mechanism.released;
    groups_ = by_batch ? released_groups(*task_, *mechanism.released) : climbed_groups(*task_);
  } else {
    groups_ = public_groups(*task_);
  }
  return {};
}

Status Knowledge::find_laws() {
  for (const ReleaseKinds& release : releases_) {
    laws_.emplace_back();
    if (form_ != Form::Product) continue;
    auto law = likelihood_of(
        {*task_, groups_, dictionaries_, release, population_task_ ? &*population_task_ : nullptr});
    if (!law) return law.error();
    laws_.back() = std::move(*law);
  }
  return {};
}

// Where most rows show what they showed, those that do have not drawn again: to count their profile
// twice would be to take one draw for two.
void Knowledge::find_repeats() {
  for (std::size_t r = 1; r < releases_.size(); ++r) {
    std::vector<std::uint32_t> same;
    std::size_t told = 0;
    for (std::uint32_t row = 0; row < table().rows(); ++row) {
      bool alike = true, is_told = false;
      for (std::uint32_t j = 0; j < width(); ++j) {
        std::uint32_t shown = releases_[0].kinds[j][row];
        std::uint32_t other = releases_[r].kinds[j][row];
        is_told |= shown != untold && other != untold;
        alike &= shown == untold || other == shown;
      }
      told += is_told ? 1 : 0;
      if (is_told && alike) same.push_back(row);
    }
    if (2 * same.size() < told) continue;
    for (std::uint32_t j = 0; j < width(); ++j) {
      for (std::uint32_t row : same) {
        if (releases_[0].kinds[j][row] != untold) releases_[r].kinds[j][row] = untold;
      }
      for (std::uint32_t row : same) {
        if (form_ == Form::Swap) signals_[r].kinds[j][row] = untold;
      }
    }
  }
}

void Knowledge::count_shares() {
  for (std::uint32_t j = 0; j < width(); ++j) {
    auto& shares = table_shares_.emplace_back(domains_[j] + std::size_t{1}, 0);
    for (std::uint32_t row = 0; row < table().rows(); ++row) {
      shares[code_of(table(), RowId{row}, j)] += 1.0 / table().rows();
    }
  }
}

bool Knowledge::knows_any() const {
  for (const auto& kinds : releases_[0].kinds) {
    for (std::uint32_t row = 0; row < kinds.size(); ++row) {
      if (counts(RowId{row}) && kinds[row] != untold) return true;
    }
  }
  return false;
}

bool Knowledge::knows_a_group() const {
  auto is_known = [&](RowId row) {
    const auto& all = releases_[0].kinds;
    return std::all_of(all.begin(), all.end(),
                       [&](const auto& kinds) { return kinds[+row] != untold; });
  };
  const auto& all = groups_.groups;
  return std::any_of(all.begin(), all.end(), [&](const KnownGroup& group) {
    return group.rows.size() > 1 && !group.silent &&
           std::all_of(group.rows.begin(), group.rows.end(), is_known);
  });
}

std::uint64_t Knowledge::rows_against_the_law() const {
  if (form_ != Form::Product || !has_exact_likelihood(scheme())) return 0;
  const Likelihood& law = *laws_[0];
  std::uint64_t rows = 0;
  for (std::uint32_t row = 0; row < table().rows(); ++row) {
    std::uint32_t group = groups_.group_of[row];
    if (!counts(RowId{row}) || groups_.groups[group].silent) continue;
    bool against = false;
    for (std::uint32_t j = 0; j < width(); ++j) {
      std::uint32_t kind = releases_[0].kinds[j][row];
      if (kind == untold) continue;
      std::uint32_t pattern = law.pattern(Source::Table, RowId{row}, j);
      against |= law.weight(group, j, kind, code_of(table(), RowId{row}, j), pattern) <= 0;
    }
    rows += against ? 1 : 0;
  }
  return rows;
}

// Profiles of swap name their groups; where a scheme does not climb, groups are those of the table.
bool Knowledge::knows_batches() const {
  const Scheme* known = find_scheme(scheme());
  if (known == nullptr || !known->climbs || form_ == Form::Swap) return true;
  return observed_.mechanism->one_batch || observed_.mechanism->released;
}

bool Knowledge::groups_are_whole() const {
  return std::all_of(groups_.groups.begin(), groups_.groups.end(),
                     [](const KnownGroup& group) { return group.whole(); });
}

std::uint64_t Knowledge::rows_up_the_ladder() const {
  std::uint64_t rows = 0;
  for (const KnownGroup& group : groups_.groups) {
    if (group.rung > 0 || group.silent) rows += group.rows.size();
  }
  return rows;
}

std::vector<RowId> Knowledge::population_like(const KnownGroup& group) const {
  for (std::size_t rung = group.rung; rung < rungs_.size(); ++rung) {
    const auto& columns = rungs_[rung]->columns;
    auto found = rungs_[rung]->rows.find(Rung::values(table(), group.rows.front(), columns));
    if (found != rungs_[rung]->rows.end()) return found->second;
  }
  return {};
}

}  // namespace rankveil::audit
