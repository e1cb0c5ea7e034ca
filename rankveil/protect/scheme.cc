#include "rankveil/protect/scheme.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "rankveil/base/format.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/protect/capped/capped.h"
#include "rankveil/protect/caps.h"
#include "rankveil/protect/chance/ldp.h"
#include "rankveil/protect/chance/rr.h"
#include "rankveil/protect/chance/rr_mean.h"
#include "rankveil/protect/cluster/cluster.h"
#include "rankveil/protect/estt/estt.h"
#include "rankveil/protect/esvt/esvt.h"
#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/not_sensitive.h"
#include "rankveil/protect/pvst/pvst.h"
#include "rankveil/protect/scheme_options.h"
#include "rankveil/protect/sets/drop.h"
#include "rankveil/protect/sets/generalise.h"
#include "rankveil/protect/sets/pvsv.h"
#include "rankveil/protect/sets/random_sets.h"
#include "rankveil/protect/swap/shown_groups.h"
#include "rankveil/protect/swap/swap.h"
#include "rankveil/protect/swap/swap_exact.h"

namespace rankveil {

namespace {

using Levels = std::vector<AdversaryLevel>;

// Everybody but those who believe something about one person beforehand.
const Levels all_but_informed = {AdversaryLevel::Ignorant,       AdversaryLevel::Knowledgeable,
                                 AdversaryLevel::MechanismAware, AdversaryLevel::Joint,
                                 AdversaryLevel::BayesianJoint,  AdversaryLevel::Population,
                                 AdversaryLevel::Intersecting};
const Levels everybody = [] {
  Levels levels = all_but_informed;
  levels.push_back(AdversaryLevel::Informed);
  return levels;
}();
const Levels ignorant_only = {AdversaryLevel::Ignorant};

std::vector<Scheme> make_schemes() {
  return {
      {.name = "swap",
       .summary =
           "keep each private value with probability 1/l, else trade it by what fits the rest",
       .promise = PromiseKind::GainAtMost,
       .over_moved = true,
       .holds_against = {AdversaryLevel::Ignorant, AdversaryLevel::MechanismAware},
       .caution =
           "gains of columns that hang together add up, and nothing is promised against anyone who "
           "knows people better than a model fitted on the table",
       .takes_cover = true,
       .steps_of_l = true,
       .fits_model = true,
       .protect = protect_swap,
       .rows_to_show = rows_of_swap,
       .base_shares = base_shares},
      {.name = "swap-exact",
       .summary =
           "keep the private vector with probability 1/l, else trade it among rows equal in public",
       .promise = PromiseKind::GainAtMost,
       .holds_against = all_but_informed,
       .caution = "rows that fewer than 100 equal in all public columns show nothing of their own",
       .takes_cover = true,
       .steps_of_l = true,
       .protect = protect_swap_exact,
       .group = exact_classes},
      {.name = "cluster",
       .summary = "show the shares of a cluster of rows that meets caps on every value",
       .promise = PromiseKind::GainAtMost,
       .holds_against = all_but_informed,
       .caution = "with --gamma above l / (l - 1), common values count as not sensitive",
       .takes_cover = true,
       .climbs = true,
       .caps_sets = true,
       .options = {"n-min", "gamma"},
       .protect = protect_cluster,
       .group = climb},
      {.name = "capped",
       .summary = "draw the best signal whose posteriors stay below caps, attribute by attribute",
       .promise = PromiseKind::GainAtMost,
       .holds_against = {AdversaryLevel::Ignorant, AdversaryLevel::MechanismAware},
       .broken_by = AdversaryLevel::Knowledgeable,
       .caution =
           "only about one attribute of one row seen alone: who knows which private vectors a "
           "group has can be certain",
       .uses_workload = true,
       .takes_cover = true,
       .climbs = true,
       .options = {"n-min", "gamma", "levels"},
       .protect = protect_capped,
       .group = climb},
      {.name = "ldp",
       .summary = "answer with chance for every attribute: local differential privacy",
       .promise = PromiseKind::LikelihoodRatio,
       .holds_against = everybody,
       .caution = "a large epsilon promises little, and a small one ranks badly",
       .takes_cover = true,
       .climbs = true,
       .options = {"n-min", "epsilon", "levels"},
       .protect = protect_ldp,
       .group = climb},
      {.name = "esvt",
       .summary = "score as the mean of the row and l - 1 made-up ones",
       .promise = PromiseKind::GuessAtMost,
       .holds_against = ignorant_only,
       .broken_by = AdversaryLevel::Knowledgeable,
       .caution =
           "made-up rows are a function of the true one, so simulating the scheme inverts it",
       .needs_l_values = true,
       .uses_workload = true,
       .steps_of_l = true,
       .options = {"node-budget"},
       .protect = protect_esvt},
      {.name = "estt",
       .summary = "score as the mean of a set of rows of the same public group",
       .promise = PromiseKind::GuessAtMost,
       .holds_against = ignorant_only,
       .broken_by = AdversaryLevel::Knowledgeable,
       .caution = "made-up values that fill a set are told apart from true ones",
       .needs_l_values = true,
       .takes_cover = true,
       .steps_of_l = true,
       .options = {"set-size", "pairing"},
       .protect = protect_estt},
      {.name = "pvsv",
       .summary = "match the own value and the l - 1 values that queries ask for least",
       .promise = PromiseKind::GuessAtMost,
       .holds_against = ignorant_only,
       .broken_by = AdversaryLevel::Knowledgeable,
       .caution = "nearly all sets hold the same decoys, so the true value shows",
       .needs_l_values = true,
       .uses_workload = true,
       .protect = protect_pvsv},
      {.name = "pvst",
       .summary = "match the values of rows of the same public group, until l are covered",
       .promise = PromiseKind::GuessAtMost,
       .holds_against = {AdversaryLevel::Ignorant, AdversaryLevel::Knowledgeable},
       .broken_by = AdversaryLevel::MechanismAware,
       .caution = "sets are a function of the row, so simulating the scheme inverts it",
       .needs_l_values = true,
       .uses_workload = true,
       .takes_cover = true,
       .options = {"n-min", "fallback"},
       .protect = protect_pvst},
      {.name = "random",
       .summary = "match the own value and l - 1 random others",
       .promise = PromiseKind::GuessAtMost,
       .holds_against = ignorant_only,
       .broken_by = AdversaryLevel::Knowledgeable,
       .caution = "common values show, and several attributes together single out the true ones",
       .needs_l_values = true,
       .protect = protect_random_sets},
      {.name = "generalise",
       .summary = "match a block of at least l neighbouring values",
       .promise = PromiseKind::GuessAtMost,
       .holds_against = ignorant_only,
       .broken_by = AdversaryLevel::Knowledgeable,
       .caution = "the common value of a block shows",
       .needs_l_values = true,
       .protect = protect_generalise},
      {.name = "rr",
       .summary = "show the own value with probability 1/l, else a random one, each by itself",
       .promise = PromiseKind::None,
       .broken_by = AdversaryLevel::BayesianJoint,
       .caution = "several attributes together single out the true values",
       .protect = protect_rr},
      {.name = "rr-mean",
       .summary = "as rr, scored by what the shown value means in the row's group",
       .promise = PromiseKind::None,
       .broken_by = AdversaryLevel::BayesianJoint,
       .caution = "several attributes together single out the true values",
       .takes_cover = true,
       .climbs = true,
       .options = {"n-min", "levels"},
       .protect = protect_rr_mean,
       .group = climb},
      {.name = "drop",
       .summary = "leave private attributes out of the score",
       .promise = PromiseKind::GainAtMost,
       .holds_against = everybody,
       .caution = "the ranking knows nothing of private values",
       .shows_nothing = true,
       .protect = protect_drop},
  };
}

const std::vector<Scheme>& all_schemes() {
  static const std::vector<Scheme> list = make_schemes();
  return list;
}

Error unknown_scheme(const std::string& name) {
  std::vector<std::string> names;
  for (const Scheme& scheme : schemes()) names.emplace_back(scheme.name);
  auto near = closest(name, names);
  return wrong_use(fmt::format("there is no scheme \"{}\"; {}there are {}", name,
                               near ? "did you mean " + *near + "? " : "", listed(names)));
}

Status check_domains(const Schema& schema, const Demand& demand) {
  std::uint32_t largest = UINT32_MAX;
  const Attribute* smallest = nullptr;
  for (const Attribute& attribute : schema.attributes) {
    if (!attribute.is_private() || attribute.domain.size() >= largest) continue;
    largest = attribute.domain.size();
    smallest = &attribute;
  }
  if (smallest == nullptr || largest >= demand.l) return {};
  std::string way_out = largest >= 2 ? fmt::format("the largest l that works is {}", largest)
                                     : std::string("no l works while it is private");
  return bad_input(fmt::format(
      "{} has {} values, fewer than l = {} that {} must keep possible; {}; or pass --allow-partial "
      "to leave such attributes out",
      smallest->name, largest, demand.l, demand.scheme, way_out));
}

}  // namespace

std::span<const Scheme> schemes() { return all_schemes(); }

const Scheme* find_scheme(std::string_view name) {
  for (const Scheme& scheme : schemes()) {
    if (scheme.name == name) return &scheme;
  }
  return nullptr;
}

bool Scheme::leans_on_groups() const {
  bool by_shares = promise == PromiseKind::GainAtMost || promise == PromiseKind::GuessAtMost;
  return by_shares && !shows_nothing && !fits_model;
}

bool Scheme::reads(std::string_view option) const {
  return std::find(options.begin(), options.end(), option) != options.end();
}

bool Scheme::has_caps() const { return reads("gamma"); }

bool Scheme::has_budgets() const { return reads("epsilon"); }

Promise Scheme::promise_for(const Demand& demand, const Schema& schema) const {
  if (promise == PromiseKind::LikelihoodRatio) {
    return {promise, LdpBudgets(schema, demand).total()};
  }
  if (shows_nothing) return {promise, 0};
  double bound = 1.0 / demand.l;
  // Common values are capped by gamma: the most that anybody gains about them is 1 - 1/gamma.
  if (has_caps() && demand.gamma != 0) bound = std::max(bound, 1 - 1 / demand.gamma);
  return {promise, bound, !spared_by(demand).empty(), over_moved};
}

Status check_scheme_name(const std::string& name) {
  if (find_scheme(name) != nullptr) return {};
  return unknown_scheme(name);
}

Status check_demand(const Schema& schema, const Demand& demand) {
  if (auto known = check_scheme_name(demand.scheme); !known) return known;
  const Scheme* scheme = find_scheme(demand.scheme);
  if (schema.private_count() == 0) {
    return bad_input(
        "no attribute is private, so there is nothing to protect; give the columns that nobody may "
        "see the role \"private\"");
  }
  if (demand.l < 2) return wrong_use(fmt::format("l is {}; it must be at least 2", demand.l));
  if (scheme->steps_of_l && demand.l > max_steps) {
    return wrong_use(fmt::format(
        "{} serves strengths in steps of 1/l, and l = {} is too fine; use an l of at most {}",
        demand.scheme, demand.l, max_steps));
  }
  if (auto checked = check_scheme_options(demand); !checked) return checked;
  if (demand.set_size != 0 && demand.set_size < demand.l) {
    return wrong_use(fmt::format("a set of {} rows cannot hold l = {} values; ask for at least {}",
                                 demand.set_size, demand.l, demand.l));
  }
  if (scheme->promise == PromiseKind::LikelihoodRatio) {
    if (auto checked = check_ldp(schema, demand); !checked) return checked;
  }
  if (scheme->needs_l_values) return check_domains(schema, demand);
  return {};
}

Result<Protection> protect(const Task& task) {
  if (auto checked = check_demand(task.table.schema(), task.demand); !checked) {
    return checked.error();
  }
  return find_scheme(task.demand.scheme)->protect(task);
}

Result<Protection> protect_served(const Task& task) {
  const Scheme& scheme = *find_scheme(task.demand.scheme);
  if (scheme.needs_l_values) {
    auto checked = check_domains(task.table.schema(), task.demand);
    if (!checked) return checked.error();
  }
  return scheme.protect(task);
}

}  // namespace rankveil
