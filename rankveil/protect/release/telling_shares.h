// What is served of groups of people tells something about each of them, whatever coins hide.
//
//   BaseReport told = telling_shares(table, served, {.l = 3, .mixed_in = 20});
//   // 157 groups, 1 of them telling: "kidney_disease=yes in 1 group (50 rows)"
//   // and public values: "of 25 rows with clinic=c7, 25 show kidney_disease=yes (3.6% of all do)"
//
// It looks at nothing but public values and what is served, as anybody can who reads the index. A
// group tells a value where its share exceeds the whole table's by a gain of more than 1/l: the
// groups whose shares are served (less the rows of the table's that a scheme mixes into all of
// them, which are known), and, where rows show single values, those with one public value.
// Cost: a few operations for each group and value; a pass over the rows for each pair of a public
// and a private column.
#pragma once

#include <cstdint>

#include "rankveil/protect/report.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/index.h"
#include "rankveil/ranking/profiles.h"
#include "rankveil/table/table.h"

namespace rankveil {

struct SharesServed {
  std::uint32_t l = 3;
  std::uint32_t mixed_in = 0;   // rows of the table's in each group
  bool with_open_rows = false;  // groups of size 1 are people who show their own values
  std::uint32_t threads = 0;
};

// Reads the public columns of the table, and the names of its private ones.
BaseReport telling_shares(const Table& table, const Profiles& served, const SharesServed& how);

// The same of an index, with what its scheme and notes say of it.
SharesServed shares_served_by(const Scheme& scheme, std::uint32_t l);
BaseReport telling_shares(const Index& index, std::uint32_t threads = 0);

// What an owner should do about it, as full sentences. Empty: nothing tells.
std::vector<std::string> telling_shares_warnings(const BaseReport& base, std::uint32_t l);

}  // namespace rankveil
