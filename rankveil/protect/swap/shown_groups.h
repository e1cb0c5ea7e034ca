// Base shares: how often values are shown in groups of rows of which public columns predict the
// same. What rows are scored by beside what they show, and all that rows have that show nothing.
//
//   ShownGroups groups = ShownGroups::of(task, swap);
//   std::uint32_t group = groups.group_of(reader, row);
//   Json kept = groups.to_json();          // for the ledger: later rows join the same groups
//
// A group is a leaf of a tree that cuts the public columns where the predictions of models differ
// most. Models are fitted to what is *shown*, and counts are of what is shown, mixed with 20 rows
// of the whole table's shares: whatever shares say, they say nothing that rows do not show. A row's
// group is a function of its public values alone.
// Cost: a model an attribute on some of the rows, then a few lookups a row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/protect/ledger/frozen_groups.h"
#include "rankveil/protect/swap/fitted/fitted_swap.h"
#include "rankveil/protect/swap/group_tree.h"
#include "rankveil/protect/task.h"

namespace rankveil {

// A column as the ledger keeps it: its values then, and numbers of each, behind them those of a
// missing one.
struct KeptColumn {
  std::string name;
  std::vector<std::string> values;
  std::vector<std::int64_t> numbers;
};

class ShownGroups {
 public:
  // Groups made of what is shown from now on. REQUIRES: a swap that ran, and released somebody.
  static ShownGroups of(const Task& task, const fitted::FittedSwap& swap);
  // As they were kept. Values and columns that the task lacks are left out. Nothing: this is not
  // what to_json wrote.
  static std::optional<ShownGroups> from_json(const Json& json, const Task& task);
  Json to_json(const Task& task) const;

  std::uint32_t count() const { return static_cast<std::uint32_t>(sizes_.size()); }
  std::uint32_t group_of(const Task& task, RowId row) const;
  // Whether its public values were there when the groups were made. A column that is called
  // otherwise, or binned anew, has none of them.
  bool knows_values_of(const Task& task, RowId row) const;
  // The group of every row of the table.
  std::vector<std::uint32_t> groups_of_rows(const Task& task) const;
  // Writes the shares of group `from` to group `to`.
  void fill(std::uint32_t from, std::uint32_t to, GroupShares& shares) const;

 private:
  std::int32_t place(const Task& task, RowId row, std::uint32_t coordinate) const;
  void count_shown(const Task& task, const fitted::FittedSwap& swap);
  void mix_in_table();
  bool take_weights(const KeptColumn& kept, const Task& task);
  bool take_counts(const KeptColumn& kept, const Task& task);
  bool ends_in_leaves() const;
  std::uint32_t count_of(std::uint32_t group, std::uint32_t attribute, std::uint32_t value) const {
    return counts_[attribute][std::size_t{group} * (domains_[attribute] + 1) + value];
  }

  GroupTree tree_;
  std::vector<std::vector<std::uint8_t>> known_;    // [public column][code]; empty: all are
  std::vector<std::uint32_t> domains_;              // per private attribute; a missing value's code
  std::vector<std::uint32_t> sizes_;                // per group, with what was mixed in
  std::vector<std::vector<std::uint32_t>> counts_;  // [attribute][group, code], likewise
};

// What rows are served that show nothing: the shares of their groups, in full. `state`: what the
// scheme kept in the ledger (Protection::scheme_state); null: nobody has shown anything, and shares
// are 0.
Result<FrozenShares> base_shares(const Task& task, const Json& state,
                                 const std::vector<RowId>& rows);

// The groups that were kept last. Nothing: there are none. Refuses a state that nobody wrote.
Result<std::optional<ShownGroups>> kept_groups(const Json* state, const Task& task);

}  // namespace rankveil
