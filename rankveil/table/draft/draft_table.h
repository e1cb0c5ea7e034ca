// A first policy from what was learned of a table's columns. It denies.
//
//   public    only what is known: each word of the name is on a list of what people show anyway,
//   the
//             values do not object, and the column gives away no private one
//   private   what name or values say is sensitive
//   ignored   ids, names, addresses, free text, columns of one value or none
//   "?"       all the rest: the owner decides
//
// Cost: a pass over 100,000 rows for each pair of a public and a sensitive column.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rankveil/table/draft/column_study.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil::draft {

// What there is to see of a column that no table was made of.
struct ColumnSight {
  std::string name;
  Role role = Role::Ignored;
  std::uint64_t values = 0;  // different ones
  bool is_exact = true;      // false: there are more
  std::uint64_t missing = 0;
  std::vector<std::pair<std::string, std::uint64_t>> frequent = {};  // a few, with their rows
};

struct TableDraft {
  Policy policy;
  std::vector<std::string> comments;  // one a column: why
  std::vector<ColumnSight> sights;    // one a column
  std::uint64_t rows = 0;
};

// `id`: the column that names rows, if any.
TableDraft draft_table(const std::vector<ColumnFacts>& columns, std::optional<std::size_t> id);

// How well a column with distinct values would name rows; 0: surely not.
int id_likeness(const ColumnFacts& column, bool is_first);

}  // namespace rankveil::draft
