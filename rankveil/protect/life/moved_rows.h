// Rows whose public values are others than when they were released.
//
// They keep what they show, and their base becomes that of the new values. But somebody who knows
// old and new values can weigh: what a row took from others was made to fit the old ones, what is
// its own fits the new ones, too. So the odds that it kept its own change by
//   share of the shown value in the base of the new values / in the base it was released with
// in each column. Shares are counted of what is shown (shown_groups.h): which rows pass the limit
// tells nothing that was not shown. A row that passes it shows its base alone from then on. Values
// that nobody had when the groups were made (other bins, other names) say nothing of that: such
// rows keep their base, too.
#pragma once

#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/protect/ledger/build_rules.h"
#include "rankveil/protect/ledger/row_classes.h"
#include "rankveil/protect/persons.h"
#include "rankveil/ranking/index.h"

namespace rankveil {

// A row may show on while the coin of no column is believed kept with more than this.
inline constexpr double max_believed_of_moved = 0.7;

struct MovedRows {
  std::vector<RowId> rows;             // those that keep what they show
  std::vector<std::uint32_t> persons;  // of whom a row passes the limit
  std::uint64_t out = 0;               // rows of these persons
  double largest_belief = 0;           // of the coins of `rows`
};

// What a build goes on from.
struct BuildBefore {
  const Persons& persons;
  const PersonClasses& classes;
  const Ledger& ledger;
  const Index& index;
  const GroupedProfiles& profiles;
  const std::vector<std::uint32_t>& row_of;  // per row of the task, in `index`, UINT32_MAX: nowhere
};

// REQUIRES: the ledger has values. `earlier`: what rows show. Changes `state`, what the scheme
// keeps in the ledger: shares that rows were released with, of those who moved.
Result<MovedRows> find_moved_rows(const Task& task, const BuildBefore& before,
                                  const BuildRules& rules, const ShownEarlier& earlier,
                                  Json& state);

}  // namespace rankveil
