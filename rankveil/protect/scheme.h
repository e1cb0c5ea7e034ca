// All schemes by name, each with what it promises and against whom: the one table that help,
// documentation, audits and `protect` read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/promise/promise.h"
#include "rankveil/protect/task.h"

namespace rankveil {

struct FrozenShares;  // ledger/frozen_groups.h

struct Scheme {
  std::string_view name;
  std::string_view summary;  // what it does to a row, in a phrase
  PromiseKind promise = PromiseKind::None;
  bool over_moved = false;                         // Promise::over_moved
  std::vector<AdversaryLevel> holds_against = {};  // whom the promise is made for
  std::optional<AdversaryLevel> broken_by = {};    // the weakest level known to break it
  std::string_view caution = {};                   // where the promise ends
  bool needs_l_values = false;  // every private domain must have at least l values
  bool uses_workload = false;
  bool takes_cover = false;    // from other rows: only established rows count
  bool climbs = false;         // protects rows among at least `min_group` others, up the ladder
  bool steps_of_l = false;     // strengths are multiples of 1/l, and there are max_steps at most
  bool shows_nothing = false;  // of any row, whatever its values
  bool caps_sets = false;      // of values as it caps each by itself (sensitive_sets.h)
  bool fits_model = false;     // what it promises is about belief beyond a model of people
  // Those it reads of scheme_options(), by name.
  std::vector<std::string_view> options = {};
  Result<Protection> (*protect)(const Task& task) = nullptr;
  // Puts rows together that are protected together, for Task::grouping; the others show nothing.
  // Null: the scheme has no such groups.
  Climb (*group)(const Task& task) = nullptr;
  // The rows that get something to show. Null: those in groups or, without groups, those that take
  // part.
  std::vector<bool> (*rows_to_show)(const Task& task) = nullptr;
  // Shares for rows that show nothing, from what the scheme kept (Protection::scheme_state). Null:
  // those that the ledger froze.
  Result<FrozenShares> (*base_shares)(const Task& task, const Json& state,
                                      const std::vector<RowId>& rows) = nullptr;

  // Whether the promise depends on the rows that a row is alike with in public. It is then not made
  // against anyone who tells those rows apart, by more columns than they are alike in.
  bool leans_on_groups() const;

  bool reads(std::string_view option) const;  // whether it is one of `options`
  // Whether it caps what anyone believes of a value; values can then be declared not sensitive.
  bool has_caps() const;
  // How much each attribute may show.
  bool has_budgets() const;
  Promise promise_for(const Demand& demand, const Schema& schema) const;
};

std::span<const Scheme> schemes();
const Scheme* find_scheme(std::string_view name);
Status check_scheme_name(const std::string& name);  // tells the names there are

// Refuses what no work could fulfil: an unknown scheme, l below 2, a private domain with fewer than
// l values (naming the attribute, its size and the largest l), a set size below l, budgets that
// promise nothing.
Status check_demand(const Schema& schema, const Demand& demand);

// Checks, then runs the scheme.
Result<Protection> protect(const Task& task);
// Runs it on a table as it may be served, whose domains may be smaller than those of the table that
// was checked: looks at their sizes only. REQUIRES: check_demand() passed for that table.
Result<Protection> protect_served(const Task& task);

}  // namespace rankveil
